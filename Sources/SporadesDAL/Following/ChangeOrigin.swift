// SPDX-License-Identifier: MIT
import SporadesStore

/// The makers of the changes that led to a value.
public struct ChangeOrigin: Hashable, Sendable {
  /// The authors of the saves; see `ManagedObjectContext.transactionAuthor`.
  public internal(set) var authors: Set<String> = []
  /// The names of the contexts that saved.
  public internal(set) var contextNames: Set<String> = []
  /// Another process committed some of the changes.
  public internal(set) var isOfAnotherProcess = false

  init() {}

  /// The maker of one save.
  init(_ changes: ChangeSet) {
    if let author = changes.author { authors.insert(author) }
    if let name = changes.contextName { contextNames.insert(name) }
  }

  mutating func formUnion(_ other: ChangeOrigin) {
    authors.formUnion(other.authors)
    contextNames.formUnion(other.contextNames)
    isOfAnotherProcess = isOfAnotherProcess || other.isOfAnotherProcess
  }
}
