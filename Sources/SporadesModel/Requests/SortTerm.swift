// SPDX-License-Identifier: MIT

/// One step of an order: an expression and a direction.
///
/// A text separates terms by commas. A direction may follow a key path after a colon or a space:
/// `"lastname:NO,firstname"` and `"lastname desc, firstname"` both sort by `lastname` descending,
/// then by `firstname` ascending. Options in brackets say which differences between texts the order
/// ignores, as in a predicate: `"lastname[cd]:NO"`. The words `nils first` and `nils last` at the end of a term
/// place objects without a value. `"pets.@count"` sorts by the number of objects of a relationship, and
/// `"random()"` in an order that each fetch draws anew. The names of ``TextCollation/Comparison`` stand behind a name
/// as options do, and order by the rules of the current language: `"lastname[localizedStandard]"`.
public struct SortTerm: Hashable, Sendable {
  /// The expression whose values the order compares.
  public var expression: FetchExpression
  /// Smaller values come first.
  public var ascending: Bool
  /// The differences between texts that the order ignores.
  public var options: FetchPredicate.TextOptions
  /// The place of objects without a value. Nil takes them for the smallest: first in an ascending order, and last
  /// in a descending one.
  public var nils: NilPlacement?
  /// The language that orders texts; nil orders them by their bytes. It replaces the options.
  public var collation: TextCollation?

  /// A place for objects without a value.
  public enum NilPlacement: Hashable, Sendable {
    /// Before all others.
    case first
    /// Behind all others.
    case last
  }

  /// Sorts by a key path that is written with points: `"team.name"`, `"pets.@count"`.
  public init(
    _ keyPath: String, ascending: Bool = true, options: FetchPredicate.TextOptions = [],
    nils: NilPlacement? = nil, collation: TextCollation? = nil
  ) {
    self.init(
      FetchExpression(keyPath: keyPath), ascending: ascending, options: options, nils: nils,
      collation: collation)
  }

  /// Sorts by the values of an expression.
  public init(
    _ expression: FetchExpression, ascending: Bool = true,
    options: FetchPredicate.TextOptions = [], nils: NilPlacement? = nil,
    collation: TextCollation? = nil
  ) {
    self.expression = expression
    self.ascending = ascending
    self.options = options
    self.nils = nils
    self.collation = collation
  }

  package init(
    _ keyPath: [String], ascending: Bool = true, options: FetchPredicate.TextOptions = [],
    collation: TextCollation? = nil
  ) {
    self.init(.keyPath(keyPath), ascending: ascending, options: options, collation: collation)
  }

  /// An order that each fetch draws anew.
  public static let random = SortTerm(.function(.random, []))

  /// The names of the key path that the term sorts by; nil for another expression.
  public var keyPath: [String]? {
    if case .keyPath(let names) = expression { names } else { nil }
  }

  /// The expression as text: `lastname`, `pets.@count`.
  package var spelling: String { keyPath?.joined(separator: ".") ?? "\(expression)" }
}
