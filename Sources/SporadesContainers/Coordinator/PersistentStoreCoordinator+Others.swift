// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
public import SporadesStore

// The commits of other processes to the files of the coordinator's stores.
extension PersistentStoreCoordinator: SharedStore {
  /// Calls `committed` with the identifier of a store after another process has committed to it. Stores that are added
  /// later are observed, too.
  ///
  /// A commit over several stores in whose middle another process dies is finished meanwhile, and told of like that process's
  /// commits.
  public func observeOthers(
    _ committed: @escaping @Sendable (String) -> Void
  ) -> StoreObservation? {
    let foreign = ForeignCommits(self, committed)
    let members = MemberObservations { identifier in
      committed(identifier)
      foreign.look()
    }
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
        renewed[id] = former[id] ?? (store as? any SharedStore)?.observeOthers(committed)
      }
      current = renewed
    }
  }

  func end() { current.withLock { $0 = nil } }
}

/// Looks for commits over several stores that other processes have begun, and finishes those whose process is dead.
///
/// Rules:
/// 1. A process that lives has its part in every store soon after the first one. So the first look waits, and costs two
///    small reads as a rule.
/// 2. The death of a process gives no notice. While a part is missing, the looks go on, at distances that grow up to the
///    last one.
private final class ForeignCommits: Sendable {
  private weak let coordinator: PersistentStoreCoordinator?
  private let committed: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "sporades.commits.foreign", qos: .utility)
  private let isPlanned = Guarded(false)
  /// The distances between looks in milliseconds.
  private static let distances = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000]

  init(_ coordinator: PersistentStoreCoordinator, _ committed: @escaping @Sendable (String) -> Void)
  {
    self.coordinator = coordinator
    self.committed = committed
  }

  /// Looks soon.
  func look() { plan(0) }

  private func plan(_ attempt: Int) {
    let isFirst = isPlanned.withLock { isPlanned in
      defer { isPlanned = true }
      return !isPlanned
    }
    guard isFirst else { return }
    let distance = Self.distances[min(attempt, Self.distances.count - 1)]
    queue.asyncAfter(deadline: .now() + .milliseconds(distance)) { [weak self] in
      self?.lookNow(attempt)
    }
  }

  private func lookNow(_ attempt: Int) {
    isPlanned.withLock { $0 = false }
    guard let coordinator, coordinator.lacksForeignPart else { return }
    for store in coordinator.finishForeignCommits() { committed(store) }
    if coordinator.lacksForeignPart { plan(attempt + 1) }
  }
}

extension PersistentStoreCoordinator {
  /// A store keeps a part of another process's commit for a store that does not have it, and that could take it. A failure
  /// to read counts as no part, since the next commit of others asks again.
  fileprivate var lacksForeignPart: Bool {
    let all = stores.withLock { $0 }
    guard all.numbered.count > 1, !all.isClosed else { return false }
    let own = writing.withLock { $0.shared.ids }
    let given = unfinishedCommits.filter { $0.reason.code != .busy }.map(\.id)
    for holder in all.numbered {
      // `try?`, because of the sentence above.
      for target in (try? holder.keeper?.intentTargets()) ?? []
      where !own.contains(target.commit) && !given.contains(target.commit) {
        guard let keeper = all.member(identifiedBy: target.store)?.keeper else { continue }
        if (try? keeper.hasFinished(target.commit)) == false { return true }
      }
    }
    return false
  }

  /// Returns the identifiers of the stores that got a part.
  fileprivate func finishForeignCommits() -> Set<String> {
    writing.withLock { divided in
      stores.withLock(\.isClosed) ? [] : finishAllCommits(&divided)
    }
  }
}
