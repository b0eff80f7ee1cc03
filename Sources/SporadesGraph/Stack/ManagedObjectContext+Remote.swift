// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel

extension ManagedObjectContext {
  /// Merges changes that another process or a batch made in the store into several contexts. A
  /// parent merges before its children, because they show its rows.
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
