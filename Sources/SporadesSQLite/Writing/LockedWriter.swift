// SPDX-License-Identifier: MIT
import SporadesModel

/// The writer and its lock. The store and its checkpoints share it, and a checkpoint may outlive the store.
final class LockedWriter: Sendable {
  let state: Guarded<Writer>

  init(_ writer: Writer) { state = Guarded(writer) }
}
