// SPDX-License-Identifier: MIT
package import SporadesChain
package import SporadesModel
package import SporadesStore

// Contexts for those who have rows already.
extension DataStack {
  /// Runs `body` on the calling thread in a new context that reads from the state, and from the newest one if there is
  /// none.
  package func read<Output>(
    from state: QueryGeneration?, _ body: (ManagedObjectContext) throws -> Output
  ) rethrows -> Output {
    guard let state else { return try read(in: contextOverStore(nil), body) }
    let context = ManagedObjectContext(stack: bound, parent: .generation(state))
    context.generation = state
    context.keepsState = true
    return try read(in: context, body)
  }
}

extension ManagedObjectContext {
  /// The request in the form for a store. It throws what a fetch of objects would throw.
  package func checkedFetch(_ request: FetchRequest) throws -> StoreFetch {
    try storeFetch(request)
  }

  /// The objects of rows that the caller has, with what the request prefetches.
  package func objects(
    showing rows: some Sequence<RowPlace>, for request: FetchRequest
  ) throws -> [ManagedObject] {
    let objects = rows.map { object(showing: $0.page, $0.index) }
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      try prefetch(request.relationshipKeyPathsForPrefetching, of: objects)
    }
    return objects
  }
}
