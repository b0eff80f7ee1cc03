// SPDX-License-Identifier: MIT
import SporadesModel

/// Tells news to any number of readers.
final class IndexUpdates: Sendable {
  private struct State {
    var last = 0
    var readers: [Int: AsyncStream<IndexUpdate>.Continuation] = [:]
  }

  private let state = Guarded(State())
  /// The number of updates that wait for a slow reader. It then misses the oldest.
  private static let room = 1_000

  deinit { for reader in state.withLock(\.readers).values { reader.finish() } }

  func stream() -> AsyncStream<IndexUpdate> {
    let (stream, reader) = AsyncStream.makeStream(
      of: IndexUpdate.self, bufferingPolicy: .bufferingNewest(Self.room))
    let number = state.withLock { state in
      state.last += 1
      state.readers[state.last] = reader
      return state.last
    }
    reader.onTermination = { [weak self] _ in
      self?.state.withLock { $0.readers[number] = nil }
    }
    return stream
  }

  func send(_ update: IndexUpdate) {
    for reader in state.withLock(\.readers).values { reader.yield(update) }
  }
}
