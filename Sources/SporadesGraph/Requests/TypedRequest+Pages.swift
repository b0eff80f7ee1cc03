// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects of one page of a request, and the place where the next page begins.
public struct FetchedPage<Object: ManagedObject> {
  /// The objects, in the order of the request.
  public let objects: [Object]
  /// The place behind the last object; nil if no object follows.
  public let next: PageCursor?
}

// Pages by the values of the last object, and not by a number of objects to leave out: the store begins
// to read where the page begins.
extension TypedRequest {
  /// Asks for the objects behind a place in the order. Nil asks from the beginning, so that one call
  /// serves the first page and all others.
  public func after(_ cursor: PageCursor?) -> Self { changing { $0.start = cursor } }

  /// The objects up to the limit, and the place where the next page begins:
  ///
  /// ```swift
  /// let books = Book.sorted(by: \.title).limit(100)
  /// var page = try books.page(in: context)
  /// while let next = page.next { page = try books.after(next).page(in: context) }
  /// ```
  ///
  /// Objects that agree in all terms come in the order of their keys, also those of several entities.
  public func page<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> FetchedPage<Object> {
    try context.find(orElse: FetchedPage(objects: [], next: nil)) { context in
      var request = try fetchRequest(in: context)
      guard let limit = request.fetchLimit, limit > 0, limit < .max else {
        throw Self.pageMistake(
          "has no limit, so that it has no pages. Write limit(_:) before page(in:)")
      }
      guard request.fetchOffset == 0 else {
        throw Self.pageMistake("has an offset beside its pages. Leave offset(_:) out")
      }
      try request.requireOrderOfPages()
      if start == nil { request.sortTerms.append(.key) }
      // because one more object tells whether another page follows
      request.fetchLimit = limit + 1
      let objects = try context.fetch(Object.self, request)
      guard objects.count > limit else { return FetchedPage(objects: objects, next: nil) }
      let cursor = try PageCursor(after: objects[limit - 1], request, context)
      return FetchedPage(objects: Array(objects.prefix(limit)), next: cursor)
    }
  }

  private static func pageMistake(_ text: String) -> FetchPredicateError {
    FetchPredicateError(.syntax, "A request for \(Object.self) \(text).")
  }
}
