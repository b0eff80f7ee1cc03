// SPDX-License-Identifier: MIT
package import SporadesModel

/// An accepted change set that a store could not keep.
///
/// A store that loses its transaction executes the accepted change sets again. If somebody else changed the same
/// rows meanwhile, the store leaves the change set out.
public struct LostChanges: Sendable {
  /// The change set, the same object that the store executed.
  public let changes: ChangeSet
  /// The error with which the store refuses the change set now.
  public let reason: StoreError

  /// Names a lost change set and the reason of the loss.
  public init(_ changes: ChangeSet, _ reason: StoreError) {
    self.changes = changes
    self.reason = reason
  }
}

/// The rows of change sets that a store leaves out while it executes other change sets again.
///
/// A later change set that touches one of these rows builds on a loss. Its versions may fit all the same, because
/// somebody else's change may have given the row the version of the lost change.
package struct LostRows {
  private let model: ManagedObjectModel
  private var rows: Set<RowKey> = []

  package init(_ model: ManagedObjectModel) { self.model = model }

  package var isEmpty: Bool { rows.isEmpty }

  package mutating func add(_ changes: ChangeSet) {
    rows.formUnion(changes.keys.map(model.rootKey))
  }

  package mutating func add(_ keys: [RowKey]) { rows.formUnion(keys.map(model.rootKey)) }

  /// Finds the lost rows that a change set changes or relies on.
  package func met(by changes: ChangeSet) -> [RowKey] {
    guard !rows.isEmpty else { return [] }
    return (changes.keys + changes.expected.map(\.key)).filter { rows.contains(model.rootKey($0)) }
  }
}

extension [LostChanges] {
  /// Refuses a change set that builds on a lost one which the store has not named yet.
  package func check(
    _ changes: ChangeSet, _ model: ManagedObjectModel, _ scope: StoreScope
  ) throws(StoreError) {
    var lostRows = LostRows(model)
    for loss in self { lostRows.add(loss.changes) }
    let met = lostRows.met(by: changes)
    guard met.isEmpty else { throw .buildsOnLost(met.map(scope.id)) }
  }

  /// The refusal of a commit before the store has named them.
  package func unreported(_ scope: StoreScope) -> StoreError {
    .unreportedLosses(flatMap(\.changes.keys).map(scope.id))
  }
}

extension StoreScope {
  package func id(_ key: RowKey) -> ManagedObjectID { ManagedObjectID(key: key, scope: self) }
}

extension StoreError {
  /// The refusal of a change set that was withdrawn.
  package static var withdrawn: StoreError {
    StoreError(.conflict([]), "The store could not keep another part of the change.")
  }

  /// The refusal of a change set with references or links to rows that others deleted.
  package static func leadsToDeleted(_ ids: [ManagedObjectID]) -> StoreError {
    StoreError(.conflict(ids), "The change refers to objects that others deleted: \(names(ids)).")
  }

  /// The refusal of a change set that builds on a lost change set.
  package static func buildsOnLost(_ ids: [ManagedObjectID]) -> StoreError {
    StoreError(
      .conflict(ids),
      "The change builds on a change of \(names(ids)) that was lost. Fetch the objects again and repeat it."
    )
  }

  /// The refusal of changes of rows that others saved or deleted since they were read.
  package static func conflict(
    _ ids: [ManagedObjectID], deleted: Set<ManagedObjectID>
  ) -> StoreError {
    let (gone, changed) = (ids.filter(deleted.contains), ids.filter { !deleted.contains($0) })
    var sentences: [String] = []
    if !changed.isEmpty {
      sentences.append(
        "The store has other versions of \(names(changed)): they were saved by others since this context read them. "
          + "Call refresh(_:mergeChanges: true) on the objects, or rollback() and fetch them again, and save; or set a "
          + "mergePolicy.")
    }
    if !gone.isEmpty {
      sentences.append(
        "Others deleted \(names(gone)) since this context read them. Call rollback(), which gives up the changes of this "
          + "context, or set mergePolicy to .objectTrump, which inserts the objects again, and save."
      )
    }
    return StoreError(.conflict(ids), sentences.joined(separator: " "))
  }

  /// The refusal of a commit before the store has reported its losses.
  package static func unreportedLosses(_ ids: [ManagedObjectID]) -> StoreError {
    StoreError(
      .conflict(ids),
      "The store cannot keep accepted changes of \(names(ids)), and has committed nothing. Call "
        + "restoreAccepted() for the lost changes, then commit the others.")
  }

  /// The names of the first of many objects.
  private static func names(_ ids: [ManagedObjectID]) -> String {
    ids.prefix(10).map(\.description).joined(separator: ", ")
  }

  /// The store refuses the change set itself, so that another attempt cannot help.
  package var refusesChanges: Bool {
    switch code {
    case .conflict, .constraint: true
    default: false
    }
  }
}
