// SPDX-License-Identifier: MIT
public import SporadesModel

/// A question for the objects of one class, written as a sentence:
///
/// ```swift
/// let adults = User.where(\.age >= 18).sorted(by: \.lastname).limit(10)
/// let users = try adults.fetch(in: context)
/// ```
///
/// A request is a value. Each word returns a changed copy and reads nothing. A verb with a context,
/// such as ``fetch(in:)`` or ``count(in:)``, asks the question. The words have no order: a condition
/// behind `limit` applies before it.
///
/// An extension names the requests of a program, its scopes:
///
/// ```swift
/// extension TypedRequest<User> {
///   var adults: Self { self.where(\.age >= 18) }
/// }
/// let some = try User.request.adults.sorted(by: \.age).fetch(in: context)
/// ```
///
/// A word that has no meaning, such as a key path to a computed property, makes the verb throw its
/// error.
public struct TypedRequest<Object: ManagedObject>: Hashable, Sendable {
  /// The question. Its entity has no name until a context tells the name of the class's entity.
  package var untyped: FetchRequest
  /// The place behind which the results begin.
  var start: PageCursor?
  /// The first mistake in the words.
  var mistake: FetchPredicateError?

  /// Asks for all objects of the class.
  public init() { untyped = FetchRequest("") }

  init(where predicate: FetchPredicate?) {
    self.init()
    untyped.predicate = predicate
  }

  /// The request for the entity of the class in the context's model.
  public func fetchRequest(in context: some FinderContext) throws -> FetchRequest {
    if let mistake { throw mistake }
    var request = untyped
    request.entityName = try context.managedObjectContext.shape(for: Object.self).name
    if let start { try request.begin(after: start, in: context.managedObjectContext) }
    return request
  }

  /// Returns a copy with a change. The copy keeps the first mistake, and its verbs throw it.
  func changing(_ change: (inout Self) throws(FetchPredicateError) -> Void) -> Self {
    var copy = self
    do throws(FetchPredicateError) { try change(&copy) } catch {
      copy.mistake = copy.mistake ?? error
    }
    return copy
  }
}

// MARK: - Bounds

extension TypedRequest {
  /// Asks for at most as many results. Nil asks for all, and replaces an earlier limit.
  public func limit(_ count: Int?) -> Self { changing { $0.untyped.fetchLimit = count } }

  /// Leaves out as many results at the beginning, and replaces an earlier offset.
  public func offset(_ count: Int) -> Self { changing { $0.untyped.fetchOffset = count } }

  /// Stops the verb if it takes longer, which then throws. It goes before the `fetchTimeout` of the context.
  public func timeout(_ duration: Duration?) -> Self { changing { $0.untyped.timeout = duration } }

  /// Leaves out repeated results of `pluck`. Objects never repeat.
  public func distinct() -> Self { changing { $0.untyped.returnsDistinctResults = true } }

  /// Reads the objects of relationships together with the results.
  public func prefetching(_ keyPaths: PartialKeyPath<Object>...) -> Self { prefetching(keyPaths) }

  func prefetching(_ keyPaths: [PartialKeyPath<Object>]) -> Self {
    changing { copy throws(FetchPredicateError) in
      for keyPath in keyPaths {
        let names = try KeyPathNames.names(of: keyPath)
        copy.untyped.relationshipKeyPathsForPrefetching.append(names.joined(separator: "."))
      }
    }
  }
}

extension TypedRequest: CustomStringConvertible {
  /// The request as a sentence: `Book where pages > 300, sorted by title, limit 10`.
  public var description: String {
    let text = untyped.description(ofEntity: "\(Object.self)")
    return text + (start == nil ? "" : ", behind a cursor")
      + (mistake.map { " (refused: \($0))" } ?? "")
  }
}
