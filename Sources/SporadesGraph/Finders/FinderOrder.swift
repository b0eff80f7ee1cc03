// SPDX-License-Identifier: MIT
import SporadesModel

/// The order in which a finder returns objects, as its caller wrote it.
enum FinderOrder<Object: ManagedObject> {
  case text(String, ascending: Bool = true)
  case keyPaths([PartialKeyPath<Object>], ascending: Bool)
  case terms([TypedSortTerm<Object>])

  func terms() throws(FetchPredicateError) -> [SortTerm] {
    switch self {
    case .text(let text, let ascending):
      let terms = try SortTerm.parse(text, ascending: ascending)
      guard !ascending, !terms.isEmpty else { return terms }
      // Terms that are the same either way have directions of their own.
      let others = try SortTerm.parse(text)
      guard terms != others else {
        throw FetchPredicateError(
          .syntax,
          "Each of the sort terms \"\(text)\" has a direction, so that ascending: false has no effect. Leave it "
            + "out, or leave the directions out.")
      }
      return terms
    case .keyPaths(let keyPaths, let ascending):
      return try keyPaths.map { keyPath throws(FetchPredicateError) in
        SortTerm(try KeyPathNames.names(of: keyPath), ascending: ascending)
      }
    case .terms(let terms):
      return try terms.map { term throws(FetchPredicateError) in try term.term() }
    }
  }
}

// Named unlike what a program could look for, because the compiler offers the names of a library's
// hidden functions in its errors.
extension ActiveRecord {
  /// The objects that a finder returns.
  static func foundObjects<Context: FinderContext>(
    _ predicate: FetchPredicate?, _ order: FinderOrder<Self>, _ limit: Int?, _ offset: Int,
    _ prefetching: [PartialKeyPath<Self>], in context: Context
  ) throws(Context.Failure) -> [Self] {
    try context.find(orElse: []) { context in
      var request = try finderRequest(predicate, in: context)
      request.sortTerms = try order.terms()
      request.fetchLimit = limit
      request.fetchOffset = offset
      request.relationshipKeyPathsForPrefetching = try prefetching.map {
        try KeyPathNames.names(of: $0).joined(separator: ".")
      }
      return try context.fetch(Self.self, request)
    }
  }

  /// The first of the objects that a finder returns.
  static func firstFoundObject<Context: FinderContext>(
    _ predicate: FetchPredicate?, _ order: FinderOrder<Self>, _ prefetching: [PartialKeyPath<Self>],
    in context: Context
  ) throws(Context.Failure) -> Self? {
    try foundObjects(predicate, order, 1, 0, prefetching, in: context).first
  }

  /// The request for the class's objects.
  static func finderRequest(
    _ predicate: FetchPredicate?, in context: ManagedObjectContext
  ) throws(ContextError) -> FetchRequest {
    FetchRequest(try context.shape(for: Self.self).name, where: predicate)
  }
}
