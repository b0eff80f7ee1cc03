// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// A predicate of ours, which has a condition.
protocol ConditionHolder: NSPredicate {
  /// The condition. A compound predicate with a block among its parts has none.
  var held: FetchPredicate { get throws(FetchPredicateError) }
  /// The condition in the format language.
  var text: String { get }
}

/// A predicate that is neither a comparison nor made of several: a constant, or a condition without a format.
final class ConditionPredicate: NSPredicate, ConditionHolder {
  private let constant: FetchPredicate

  init(holding condition: FetchPredicate) {
    constant = condition
    ConditionCompound.adopt()
    // Foundation compares its own constants with this one by the value.
    if case .constant(let answer) = condition {
      super.init(value: answer)
    } else {
      super.init(block: { _, _ in false })
    }
  }

  var held: FetchPredicate { constant }
  var text: String { constant.shownFormat }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    answer(for: object, bindings)
  }
  override func evaluate(with object: Any?) -> Bool { answer(for: object, nil) }
  @available(*, deprecated)
  override var predicateFormat: String { text }
  override var description: String { text }
  override func isEqual(_ object: Any?) -> Bool { equals(object) }
  override var hash: Int { constant.withTruthAsNumbers.hashValue }
  override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Several conditions, and the word between them.
///
/// Foundation's own compound predicates, which programs make, adopt the overrides: there, all compounds are equal, and have no
/// text.
final class ConditionCompound: NSCompoundPredicate, ConditionHolder {
  /// Foundation's predicates have adopted the overrides once the value has been read.
  private static let isAdopted: Bool = {
    ClassChange.adoptOverrides(of: ConditionCompound.self, in: NSCompoundPredicate.self)
    ClassChange.adoptOverrides(of: PlainPredicate.self, in: NSPredicate.self)
    return true
  }()

  /// Gives Foundation's predicates the overrides below. The first predicate or expression of ours does so.
  static func adopt() { _ = isAdopted }

  // An object here may be of Foundation's class, so that nothing below asks for its own.

  var held: FetchPredicate { get throws(FetchPredicateError) { try joined } }
  var text: String { joinedFormat }

  @available(*, deprecated)
  override var predicateFormat: String { joinedFormat }
  override var description: String { joinedFormat }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSCompoundPredicate else { return false }
    return other === self
      || (other.compoundPredicateType == compoundPredicateType
        && other.subpredicates == subpredicates)
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    hasher.combine(subpredicates.map(\.hash))
    return hasher.finalize()
  }

  override func copy(with zone: NSZone? = nil) -> Any {
    ConditionCompound(type: compoundPredicateType, subpredicates: subpredicates)
  }
}

/// The overrides that Foundation's own predicates with a constant or a block adopt. There, `NSPredicate(value: false)` is equal to
/// every compound predicate.
final class PlainPredicate: NSPredicate {
  override var description: String { format }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate, !(other is NSCompoundPredicate) else { return false }
    if other === self { return true }
    // `try?`: two blocks, which have no condition, are never equal.
    guard let theirs = try? other.condition, let ours = try? condition else { return false }
    return theirs == ours
  }

  // `try?`: a predicate with a block is equal to itself alone.
  override var hash: Int { (try? condition)?.hashValue ?? ObjectIdentifier(self).hashValue }
}

extension NSCompoundPredicate {
  /// The condition that the parts make together.
  var joined: FetchPredicate {
    get throws(FetchPredicateError) {
      var parts: [FetchPredicate] = []
      for part in subpredicates { parts.append(try part.condition) }
      return switch compoundPredicateType {
      case .not: .not(parts.first ?? .constant(false))
      case .and: parts.count == 1 ? parts[0] : .and(parts)
      case .or: parts.count == 1 ? parts[0] : .or(parts)
      }
    }
  }
}

extension ConditionHolder {
  /// The answer for an object. A condition that cannot be asked of the object ends the program.
  func answer(for object: Any?, _ bindings: [String: Any]?) -> Bool {
    do {
      let condition = try held
      let bound = bindings.map { condition.substituting($0.mapValues(PlainValue.of)) } ?? condition
      return try AnySubject(object, bindings ?? [:]).holds(bound)
    } catch {
      trap("NSPredicate \(text): \(error)")
    }
  }

  /// Whether an object is a predicate with the same condition.
  func equals(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate, !(other is NSCompoundPredicate) else { return false }
    if other === self { return true }
    // `try?`: a predicate with a block has no condition, and is equal to itself alone.
    guard let theirs = try? other.condition, let ours = try? held else { return false }
    return theirs.withTruthAsNumbers == ours.withTruthAsNumbers
  }
}
