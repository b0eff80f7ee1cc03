// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
public import SporadesStore

/// The transactions and changes that a reader of the history wants to have.
///
/// A transaction without a wanted change is left out, and the others have their wanted changes only.
public struct HistoryFilter: Hashable, Sendable {
  /// The names of the entities of changed objects, each with its subentities; nil for all.
  public var entities: Set<String>?
  /// The kinds of changes; nil for all.
  public var kinds: Set<PersistentHistoryChange.ChangeType>?
  /// The authors; nil for all, also for saves without an author.
  public var authors: Set<String>?
  /// The authors whose transactions are left out, such as the program itself.
  public var excludedAuthors: Set<String>

  /// Wants the changes of all objects, or of some entities, kinds and authors.
  public init(
    entities: Set<String>? = nil, kinds: Set<PersistentHistoryChange.ChangeType>? = nil,
    authors: Set<String>? = nil, excludedAuthors: Set<String> = []
  ) {
    self.entities = entities
    self.kinds = kinds
    self.authors = authors
    self.excludedAuthors = excludedAuthors
  }
}

/// A filter whose entities are known.
struct PreparedHistoryFilter: Sendable {
  private let filter: HistoryFilter
  /// The numbers of the wanted entities; nil for all.
  private let numbers: Set<Int>?

  init(_ filter: HistoryFilter, _ model: ManagedObjectModel) throws(ContextError) {
    self.filter = filter
    guard let names = filter.entities else {
      numbers = nil
      return
    }
    var numbers: Set<Int> = []
    for name in names {
      guard let shape = model.shape(named: name) else {
        throw .unknownEntity(name, known: model.shapes.map(\.name))
      }
      numbers.formUnion(shape.family)
    }
    self.numbers = numbers
  }

  /// The wanted part of a transaction; nil if there is none.
  func part(of transaction: PersistentHistoryTransaction) -> PersistentHistoryTransaction? {
    if let author = transaction.author, filter.excludedAuthors.contains(author) { return nil }
    if let authors = filter.authors {
      guard let author = transaction.author, authors.contains(author) else { return nil }
    }
    guard numbers != nil || filter.kinds != nil else { return transaction }
    let changes = (transaction.changes ?? []).filter { change in
      numbers?.contains(change.changedObjectID.key.entity) ?? true
        && filter.kinds?.contains(change.changeType) ?? true
    }
    return changes.isEmpty ? nil : PersistentHistoryTransaction(transaction.facts, changes: changes)
  }
}
