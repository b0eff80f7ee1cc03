// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// An accepted write that the store cannot keep.
///
/// The commit of the write failed. Another writer changed the same rows before the next attempt, so the
/// store now refuses the write. Contexts show the rows of the store. The store keeps the other accepted
/// writes.
public struct LostWrite: Error, Sendable {
  /// The objects that the write inserted, changed and deleted.
  public let objects: [ManagedObjectID]
  /// The error with which the store refuses the write.
  public let reason: StoreError

  package init(objects: [ManagedObjectID], reason: StoreError) {
    self.objects = objects
    self.reason = reason
  }
}

extension LostWrite: CustomStringConvertible {
  /// A sentence that names the objects, the reason and the remedy, and no values of rows.
  public var description: String {
    let names = objects.prefix(5).map(\.description).joined(separator: ", ")
    let others = objects.count > 5 ? " and \(objects.count - 5) more" : ""
    return """
      An accepted write of \(names)\(others) is lost: its commit failed, and another writer changed the \
      same rows before the next attempt. The other accepted writes are kept. Read the objects again and \
      repeat the changes that you still want: \(reason)
      """
  }
}
