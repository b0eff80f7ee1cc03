// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel

extension ManagedObjectContext {
  /// Makes several contexts take over what someone else did to the store, who told nothing but the
  /// ids: another process, a batch. Contexts above one of them take it over first, since a context
  /// shows what its parent does.
  public static func mergeChanges(
    fromRemoteContextSave ids: ObjectIDChanges, into queues: [ContextQueue]
  ) async throws {
    var done: Set<ObjectIdentifier> = []
    for queue in queues {
      let line = sequence(first: queue, next: \.parent)
      for queue in line.reversed() where done.insert(ObjectIdentifier(queue)).inserted {
        try await queue.perform { try $0.mergeChanges(fromRemote: ids) }
      }
    }
  }
}
