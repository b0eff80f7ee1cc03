// SPDX-License-Identifier: MIT
import SporadesModel

/// The consumers of the snapshots of one controller.
final class SnapshotConsumers {
  private typealias Stream = AsyncThrowingStream<FetchedResultsSnapshot, any Error>

  private var consumers: [Stream.Continuation] = []

  deinit {
    for consumer in consumers { consumer.finish() }
  }

  var isEmpty: Bool { consumers.isEmpty }

  /// Makes a sequence that keeps one snapshot for a slow consumer.
  func add(
    beginningWith snapshot: FetchedResultsSnapshot?
  ) -> AsyncThrowingStream<FetchedResultsSnapshot, any Error> {
    let (stream, consumer) = Stream.makeStream(bufferingPolicy: .bufferingNewest(1))
    if let snapshot { consumer.yield(snapshot) }
    consumers.append(consumer)
    return stream
  }

  /// Sends a snapshot, and forgets the consumers that have gone.
  func send(_ snapshot: FetchedResultsSnapshot) {
    consumers.removeAll { consumer in
      let result = consumer.yield(snapshot)
      if case .dropped(let unread) = result {
        // If the consumer has taken the snapshot in between, it gets it once more, with more ids.
        consumer.yield(snapshot.adding(unread))
      }
      if case .terminated = result { return true }
      return false
    }
  }

  /// Ends all sequences with the error.
  func fail(_ error: any Error) {
    for consumer in consumers { consumer.finish(throwing: error) }
    consumers = []
  }
}
