// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// A commit over several stores that one of the stores does not have, since the process died in between.
///
/// Another store keeps the missing part until it is finished or discarded.
public struct UnfinishedCommit: Sendable, Identifiable {
  /// The identifier of the commit, a UUID.
  public let id: String
  /// The moment of the commit.
  public let madeAt: Date
  /// The identifier of the store that has the commit and keeps the missing part.
  public let holder: String
  /// The identifier of the store that lacks its part.
  public let store: String
  /// The reason why the coordinator cannot finish the commit now:
  ///
  /// | Code | Remedy |
  /// |---|---|
  /// | `noStore` | add the store with that identifier |
  /// | `readOnly` | open the store for writing |
  /// | `busy`, `full`, `io` | call ``PersistentStoreCoordinator/finishCommits()`` later |
  /// | `conflict`, `constraint` | somebody changed the store meanwhile: look at the objects, and discard the commit |
  /// | `incompatibleModel` | open the stores with the former model, or discard the commit |
  /// | `corrupt` | restore a copy of the holder, or discard the commit |
  public let reason: StoreError
}
