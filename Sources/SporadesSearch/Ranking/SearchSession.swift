// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesModel
import SporadesSQLite
import SporadesStore

/// A search field: the objects that a text finds while a person types it.
///
/// ```swift
/// let session = SearchSession(Article.where(\.isPublished), in: context)
/// session.type("gre")   // finds `green` and `grey`
/// session.type("gree")  // looks among these
/// ```
///
/// The last word is the beginning of one as long as it is being typed. A text that narrows the one before is looked for among
/// what was found, and not in the index, as long as nobody has changed the store. The session belongs to the queue of its context.
public final class SearchSession<Object: ManagedObject> {
  private let context: ManagedObjectContext
  private let request: TypedRequest<Object>
  private var last: Found?
  /// More results than this are found faster by the index.
  private static var most: Int { 1_000 }

  private struct Found {
    let query: SearchQuery
    let ids: [ManagedObjectID]
    let mark: StoreMark
  }

  /// Begins a session over the objects of a request, whose bounds and order do not count.
  public init(_ request: TypedRequest<Object> = TypedRequest(), in context: ManagedObjectContext) {
    (self.request, self.context) = (request, context)
  }

  /// The number of times that the session has asked the index.
  public private(set) var searches = 0

  /// The ids of the objects that a text finds, in the order of their keys.
  public func type(_ typed: String) throws -> [ManagedObjectID] {
    let search = Search(Self.isWord(typed) ? typed + "*" : typed)
    let fetch = try context.checkedFetch(request.search(search).fetchRequest(in: context))
    let columns = try SearchColumn.all(of: fetch.entity, context.model)
    let query = search.query(
      columns: columns.map(\.name), form: columns.first?.form ?? .words)
    let mark = try mark()
    var narrowed = request.search(search)
    if let mark, let last, last.mark == mark, query.narrows(last.query), last.ids.count <= Self.most
    {
      narrowed = narrowed.where(
        .comparison(
          .init(.subject, .isIn, .constant(.list(last.ids.map { .objectID($0) }))))
      ).searchingTexts()
    } else {
      searches += 1
    }
    let ids = try narrowed.limit(nil).offset(0).ids(in: context)
    last = mark.map { Found(query: query, ids: ids, mark: $0) }
    return ids
  }

  private static func isWord(_ typed: String) -> Bool {
    typed.last.map { $0.isLetter || $0.isNumber } ?? false
  }

  /// Nil where unsaved changes take part, or where the store does not tell of changes.
  private func mark() throws -> StoreMark? {
    try context.readStore(within: nil) { source, unsaved in
      guard unsaved.isEmpty, let store = source.store as? SQLiteStore else { return nil }
      if case .generation = try source.view { return nil }
      return try store.mark()
    }
  }
}

extension TypedRequest {
  /// The request whose searches look into the texts, because few rows are left.
  fileprivate func searchingTexts() -> Self {
    var copy = self
    copy.untyped.predicate = copy.untyped.predicate?.searchingTexts()
    return copy
  }
}
