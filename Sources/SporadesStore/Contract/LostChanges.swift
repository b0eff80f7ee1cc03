// SPDX-License-Identifier: MIT
package import SporadesModel

/// An accepted change set that a store could not keep.
///
/// A store that loses its transaction executes what it had accepted anew. Where others changed the same
/// rows meanwhile, it leaves a change set out instead of refusing all that came after it.
public struct LostChanges: Sendable {
  /// The change set as it was executed, the same object.
  public let changes: ChangeSet
  /// Why the store refuses it now.
  public let reason: StoreError

  public init(_ changes: ChangeSet, _ reason: StoreError) {
    self.changes = changes
    self.reason = reason
  }
}

/// The rows of change sets that a store leaves out while it executes others anew.
///
/// A later change set that touches one of these rows builds on what is lost. Its versions need not tell:
/// somebody else's change may have given the row the very version that the lost change gave it.
package struct LostRows {
  private let model: ManagedObjectModel
  private var rows: Set<RowKey> = []

  package init(_ model: ManagedObjectModel) { self.model = model }

  package var isEmpty: Bool { rows.isEmpty }

  package mutating func add(_ changes: ChangeSet) { rows.formUnion(changes.keys.map(row)) }

  package mutating func add(_ keys: [RowKey]) { rows.formUnion(keys.map(row)) }

  /// The rows among them that a change set changes or relies on.
  package func met(by changes: ChangeSet) -> [RowKey] {
    guard !rows.isEmpty else { return [] }
    return (changes.keys + changes.expected.map(\.key)).filter { rows.contains(row($0)) }
  }

  /// A key with its tree's entity, since keys may name different entities of one tree.
  private func row(_ key: RowKey) -> RowKey {
    let root = model.shape(numbered: key.entity).rootNumber
    return RowKey(entity: root, primaryKey: key.primaryKey, store: key.store)
  }
}

extension StoreError {
  /// The change set builds on one that is lost.
  package static func buildsOnLost(_ ids: [ManagedObjectID]) -> StoreError {
    let names = ids.prefix(10).map(\.description).joined(separator: ", ")
    return StoreError(
      .conflict(ids),
      "The change builds on a change of \(names) that was lost. Fetch the objects again and repeat it."
    )
  }

  /// A commit that would leave out change sets nobody was told of.
  package static func untoldLosses(_ ids: [ManagedObjectID]) -> StoreError {
    let names = ids.prefix(10).map(\.description).joined(separator: ", ")
    return StoreError(
      .conflict(ids),
      "Accepted changes of \(names) can not be kept. Nothing was committed: ask restoreAccepted() which "
        + "changes are lost, then commit the others.")
  }

  /// The store can execute the change set, and refuses it for what it is: trying again cannot help.
  package var refusesChanges: Bool {
    switch code {
    case .conflict, .constraint: true
    default: false
    }
  }
}
