// SPDX-License-Identifier: MIT
public import Foundation
public import SporadesModel

// The way between Foundation's predicates and conditions of Sporades.

extension NSPredicate {
  /// Makes the predicate of a condition of Sporades: a comparison, a compound predicate, or another one.
  public convenience init(_ condition: FetchPredicate) {
    self.init(Self.predicate(of: condition))
  }

  /// Makes a predicate that is another one.
  convenience init(_ made: NSPredicate) {
    guard let own = made as? Self else {
      trap("\(Self.self) was made of \(made), which is a \(type(of: made)). Write NSPredicate(…).")
    }
    self.init(made: own)
  }

  /// Gives the compound predicates that programs make their texts and equality, before the first format does.
  package static func prepareCompounds() { ConditionCompound.adopt() }

  /// The condition, for requests to a store. Throws for a predicate that asks a block or is of a program's own class.
  public var condition: FetchPredicate {
    get throws(FetchPredicateError) {
      switch self {
      case let holder as any ConditionHolder: return try holder.held
      case let compound as NSCompoundPredicate where type(of: self) == NSCompoundPredicate.self:
        return try compound.joined
      default: break
      }
      guard type(of: self) == NSPredicate.self || self is PlainPredicate else {
        throw FetchPredicateError(
          .unsupported,
          "\(type(of: self)) is a program's own subclass of NSPredicate, which only objects in memory can be asked. Write the "
            + "condition as a format, or filter the results of the fetch with it.")
      }
      switch (self as any FormatOfFoundation).formatOfFoundation {
      // Foundation's own, made with a value.
      case "TRUEPREDICATE": return .constant(true)
      case "FALSEPREDICATE": return .constant(false)
      default:
        throw FetchPredicateError(
          .unsupported,
          "A predicate made with a block can be asked of objects in memory alone. Write it as a format, or filter the results "
            + "of the fetch with it.")
      }
    }
  }

  /// The predicate of a condition. Each comparison is made by a closure.
  static func predicate(
    of condition: FetchPredicate,
    _ comparing: (FetchPredicate.Comparison) -> NSPredicate = ComparisonMaker.any.make
  ) -> NSPredicate {
    switch condition {
    case .comparison(let comparison): comparing(comparison)
    case .not(let inner):
      ConditionCompound(type: .not, subpredicates: [predicate(of: inner, comparing)])
    case .and(let parts) where !parts.isEmpty:
      ConditionCompound(type: .and, subpredicates: parts.map { predicate(of: $0, comparing) })
    case .or(let parts) where !parts.isEmpty:
      ConditionCompound(type: .or, subpredicates: parts.map { predicate(of: $0, comparing) })
    case .and, .or, .constant, .open: ConditionPredicate(holding: condition)
    }
  }
}
