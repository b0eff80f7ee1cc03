// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The results of one open store's background work, recorded by the threads that do it.
final class UpkeepAccount: Sendable {
  private let state = Guarded(StoreUpkeep())

  var upkeep: StoreUpkeep { state.withLock(\.self) }

  func noteSuccess(of task: StoreUpkeep.Task) { state.withLock { $0.noteSuccess(of: task) } }

  func note(_ error: StoreError, of task: StoreUpkeep.Task) {
    state.withLock { $0.note(error, of: task) }
  }
}
