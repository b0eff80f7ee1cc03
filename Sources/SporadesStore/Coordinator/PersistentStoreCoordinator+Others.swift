// SPDX-License-Identifier: MIT
import SporadesModel

// The commits of other processes to the files of the coordinator's stores.
extension PersistentStoreCoordinator {
  /// Calls `committed` with the identifier of a store after another process has committed to it. Stores that are added
  /// later are observed, too.
  public func observeOthers(
    _ committed: @escaping @Sendable (String) -> Void
  ) -> StoreObservation? {
    let members = MemberObservations(committed)
    members.renew(persistentStores)
    observe { [weak self, weak members] _ in
      if let self { members?.renew(persistentStores) }
    }
    return StoreObservation { members.end() }
  }
}

/// The observations of a coordinator's stores.
private final class MemberObservations: Sendable {
  private let committed: @Sendable (String) -> Void
  /// Nil after the end.
  private let current = Guarded<[ObjectIdentifier: StoreObservation]?>([:])

  init(_ committed: @escaping @Sendable (String) -> Void) { self.committed = committed }

  func renew(_ stores: [any PersistentStore]) {
    current.withLock { [committed] current in
      guard let former = current else { return }
      var renewed: [ObjectIdentifier: StoreObservation] = [:]
      for store in stores {
        let id = ObjectIdentifier(store)
        renewed[id] = former[id] ?? store.observeOthers(committed)
      }
      current = renewed
    }
  }

  func end() { current.withLock { $0 = nil } }
}
