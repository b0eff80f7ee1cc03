// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// A predicate of ours, which has a condition.
protocol ConditionHolder: NSPredicate {
  /// The condition. A compound predicate with a block among its parts has none.
  var held: FetchPredicate { get throws(FetchPredicateError) }
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

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    answer(for: object, bindings)
  }
  override func evaluate(with object: Any?) -> Bool { answer(for: object, nil) }
  @available(*, deprecated)
  override var predicateFormat: String { text }
  override var description: String { text }
  override func isEqual(_ object: Any?) -> Bool { equals(object) }
  override var hash: Int { constant.hashValue }
  override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Several conditions, and the word between them.
///
/// Foundation's own compound predicates, which programs make, adopt the overrides: there, all compounds are equal, and have no
/// text.
final class ConditionCompound: NSCompoundPredicate, ConditionHolder {
  /// Foundation's compound predicates have adopted the overrides once the value has been read.
  private static let isAdopted: Bool = {
    ClassChange.adoptOverrides(of: ConditionCompound.self, in: NSCompoundPredicate.self)
    return true
  }()

  /// Gives Foundation's compound predicates the overrides below. The first predicate or expression of ours does so.
  static func adopt() { _ = isAdopted }

  // An object here may be of Foundation's class, so that nothing below asks for its own.

  var held: FetchPredicate { get throws(FetchPredicateError) { try joined } }

  @available(*, deprecated)
  override var predicateFormat: String { format }
  override var description: String { format }

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
  /// The condition in the format language.
  var text: String { format }

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
    return theirs == ours
  }
}
