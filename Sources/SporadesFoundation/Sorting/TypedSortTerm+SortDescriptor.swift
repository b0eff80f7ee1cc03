// SPDX-License-Identifier: MIT
public import Foundation
public import SporadesGraph
public import SporadesModel

extension TypedSortTerm {
  /// Makes a term of one of Foundation's sort descriptors: `TypedSortTerm(SortDescriptor(\User.age, order: .reverse))`.
  ///
  /// A store orders texts by their code points, as `SortDescriptor(\User.name)` and the comparator `.lexical` do. The
  /// function refuses a comparator that orders by a language.
  public init(_ descriptor: SortDescriptor<Object>) throws(FetchPredicateError) {
    guard let keyPath = descriptor.keyPath else {
      throw FetchPredicateError(
        .unsupported, "The sort descriptor has no key path, by which a store could sort.")
    }
    if let comparator = descriptor.stringComparator, comparator != .lexical {
      throw FetchPredicateError(
        .unsupported,
        "A store does not sort by the comparator \(comparator). For the order of a language write "
          + ".ascending(keyPath, .localizedStandard); else write SortDescriptor with the key path alone, or with "
          + "comparator: .lexical.")
    }
    self =
      switch descriptor.order {
      case .forward: .ascending(keyPath)
      case .reverse: .descending(keyPath)
      }
  }
}
