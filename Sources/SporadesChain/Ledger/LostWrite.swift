// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// An accepted write that the store cannot keep.
///
/// The commit of the write failed, and another writer changed the same rows before the next attempt. Contexts
/// then show the rows of the store, and the store keeps the other accepted writes. A write is also lost if its
/// stack ends before a commit succeeds.
public struct LostWrite: DescribedError, Sendable {
  /// The objects that the write inserted, changed and deleted.
  public let objects: [ManagedObjectID]
  /// The error with which the store refuses the write.
  public let reason: StoreError

  package init(objects: [ManagedObjectID], reason: StoreError) {
    self.objects = objects
    self.reason = reason
  }
}

extension LostWrite {
  /// A sentence that names the objects, the reason and the remedy, and no values of rows.
  public var description: String {
    let names = objects.prefix(5).map(\.description).joined(separator: ", ")
    let others = objects.count > 5 ? " and \(objects.count - 5) more" : ""
    return """
      An accepted write of \(names)\(others) is lost: its commit failed, and no other attempt follows. In an \
      application that goes on, read the objects again and repeat the changes that you still want. The reason: \(reason)
      """
  }
}
