// SPDX-License-Identifier: MIT
import SporadesModel

// An order replaces the one before it, so that a caller can order a scope anew.
extension TypedRequest {
  /// Orders the results by attributes: `sorted(by: \.lastname, \.firstname)`. Objects that agree in
  /// all of them come in the order of their keys.
  public func sorted(
    by keyPath: PartialKeyPath<Object>, _ others: PartialKeyPath<Object>..., ascending: Bool = true
  ) -> Self { sorted(by: [keyPath] + others, ascending: ascending) }

  /// Orders the results by terms with a direction each: `sorted(by: .descending(\.age),
  /// .ascending(\.name))`.
  public func sorted(by term: TypedSortTerm<Object>, _ others: TypedSortTerm<Object>...) -> Self {
    sorted(by: [term] + others)
  }

  /// Orders the results by names with an optional direction: `sorted(by: "lastname:NO,firstname")`.
  @_disfavoredOverload
  public func sorted(by terms: String) -> Self { sorted(by: terms, ascending: true) }

  /// Orders the results the other way round. Objects that agree in all terms stay in the order of
  /// their keys.
  public func reversed() -> Self {
    changing { copy throws(FetchPredicateError) in
      guard !copy.untyped.sortTerms.isEmpty else {
        throw FetchPredicateError(
          .syntax,
          "A request for \(Object.self) says reversed() without an order before. Write sorted(by:) first."
        )
      }
      for index in copy.untyped.sortTerms.indices {
        copy.untyped.sortTerms[index].ascending.toggle()
      }
    }
  }

  func sorted(by keyPaths: [PartialKeyPath<Object>], ascending: Bool) -> Self {
    changing { copy throws(FetchPredicateError) in
      copy.untyped.sortTerms = try keyPaths.map { keyPath throws(FetchPredicateError) in
        SortTerm(try KeyPathNames.names(of: keyPath), ascending: ascending)
      }
    }
  }

  func sorted(by terms: [TypedSortTerm<Object>]) -> Self {
    changing { copy throws(FetchPredicateError) in
      copy.untyped.sortTerms = try terms.map { term throws(FetchPredicateError) in
        try term.term()
      }
    }
  }

  /// Orders by a text whose terms without a direction take `ascending`. It refuses a direction that
  /// no term takes.
  func sorted(by text: String, ascending: Bool) -> Self {
    changing { copy throws(FetchPredicateError) in
      let terms = try SortTerm.parse(text, ascending: ascending)
      if !ascending, !terms.isEmpty, try terms == SortTerm.parse(text) {
        throw FetchPredicateError(
          .syntax,
          "Each of the sort terms \"\(text)\" has a direction, so that ascending: false has no effect. Leave it "
            + "out, or leave the directions out.")
      }
      copy.untyped.sortTerms = terms
    }
  }
}
