// SPDX-License-Identifier: MIT
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
public import SporadesStore

/// A delegate that keeps an outside index like the objects of a store, by the store's history.
///
/// Subclass it, and say what the index keeps of an object:
///
/// ```swift
/// final class ArticleIndexing: IndexingDelegate, @unchecked Sendable {
///   override func attributes(for object: ManagedObject) throws -> IndexAttributes? {
///     guard let article = object as? Article, article.isPublic else { return nil }
///     return IndexAttributes(title: article.title, text: article.author?.name)
///   }
/// }
///
/// let indexing = ArticleIndexing(
///   service: service, name: "search", index: file,
///   entities: [IndexedEntity(Article.self, following: ["author.name"])])
/// try indexing.start()
/// ```
///
/// The index keeps the place up to which it shows the store, so the process may end at any moment. A delegate that starts
/// again goes on there. It fills the index anew if the index has no place, if transactions behind the place are gone, if
/// the store is another one or an older copy, and if the entities, their model or the ``version`` are others.
///
/// The delegate is a reader of the history by its name, and cleanings keep what it has not put into the index.
open class IndexingDelegate: @unchecked Sendable {
  // @unchecked because the class is open. All properties that it declares are constants of Sendable types.

  /// The service whose store the index follows.
  public let service: DALService
  /// The name of the index among the readers of the history. Each index of a store has a name of its own.
  public let indexName: String
  let options: IndexingOptions
  let indexer: Indexer
  let run = Guarded<IndexingRun?>(nil)

  /// Makes a delegate that puts the objects of some entities into an index. It does nothing before ``start()``.
  public init(
    service: DALService, name: String, index: any OutsideIndex, entities: [IndexedEntity],
    options: IndexingOptions = IndexingOptions()
  ) {
    self.service = service
    indexName = name
    self.options = options
    indexer = Indexer(service, name, index, entities, batchSize: max(1, options.batchSize))
  }

  deinit { run.withLock(\.self)?.stop() }

  // MARK: - Answers of the program

  /// Returns what the index keeps of an object; nil if the object is not in the index.
  ///
  /// Override it. The delegate calls it in a read, where the object's context shows one state of the store. It throws to have
  /// the batch tried again later.
  open func attributes(for object: ManagedObject) throws -> IndexAttributes? { nil }

  /// Returns the group of an object's item; nil for none. Override it; this one returns nil.
  open func domainIdentifier(for object: ManagedObject) throws -> String? { nil }

  /// The number of the way in which the program makes attributes. Raise it in an override when ``attributes(for:)`` answers
  /// otherwise than before, and the index is filled anew.
  open var version: Int { 1 }

  /// Returns the ids of further objects whose attributes depend on changed ones. Override it where a key path of
  /// ``IndexedEntity/following`` cannot say it; this one returns none.
  ///
  /// The delegate calls it with each change of an indexed entity or a followed property, and with all others, too, if
  /// ``wantsAllChanges`` says so. The objects may be newer than the changes.
  open func affectedObjects(
    by changes: [PersistentHistoryChange], in context: ManagedObjectContext
  ) throws -> [ManagedObjectID] { [] }

  /// ``affectedObjects(by:in:)`` gets the changes of all objects. Override it; this one is false.
  open var wantsAllChanges: Bool { false }

  /// Handles an error of the index, the store or the program's own answers. The delegate tries again after a pause, from
  /// the place that the index keeps.
  ///
  /// Override it; this one writes a line to standard error.
  open func handleError(_ error: any Error) {
    writeToStandardError("Sporades: The index \(indexName) could not follow the store: \(error)\n")
  }
}

extension IndexingDelegate: IndexHooks {}
