// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// An accepted write that could not be kept.
///
/// Its commit failed, others changed the same rows before the next attempt, and the store refuses it now.
/// Contexts show the rows as the store has them; the other accepted writes are kept.
public struct LostWrite: Error, Sendable {
  /// The objects that the write inserted, changed and deleted.
  public let objects: [ManagedObjectID]
  /// Why the store refuses the write now.
  public let reason: StoreError

  package init(objects: [ManagedObjectID], reason: StoreError) {
    self.objects = objects
    self.reason = reason
  }
}

extension LostWrite: CustomStringConvertible {
  public var description: String {
    let names = objects.prefix(5).map(\.description).joined(separator: ", ")
    let rest = objects.count > 5 ? " and \(objects.count - 5) more" : ""
    return """
      An accepted write of \(names)\(rest) is lost: its commit failed, and before the next attempt others \
      made it impossible. The other accepted writes are kept. Read the objects again and repeat what is \
      still wanted: \(reason)
      """
  }
}
