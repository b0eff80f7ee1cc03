// SPDX-License-Identifier: MIT
import SporadesModel

/// Lets one task at a time work on an index, in the order of their calls.
final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    /// The numbers of the first task that waits, and of the next one that comes.
    var (first, next) = (0, 0)
  }

  private let state = Guarded(State())

  /// Runs `body` while no other one runs.
  func hold<Output>(_ body: () async throws -> Output) async rethrows -> Output {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting[state.next] = continuation
        state.next += 1
        return false
      }
      if isFree { continuation.resume() }
    }
    defer { end() }
    return try await body()
  }

  private func end() {
    let following = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard let following = state.waiting.removeValue(forKey: state.first) else {
        state.isTaken = false
        return nil
      }
      state.first += 1
      return following
    }
    following?.resume()
  }
}
