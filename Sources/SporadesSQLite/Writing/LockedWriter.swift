// SPDX-License-Identifier: MIT
import SporadesModel

/// The writer and its lock, for the store and its checkpoints, which may outlive the store.
final class LockedWriter: Sendable {
  let state: Guarded<Writer>

  init(_ writer: Writer) { state = Guarded(writer) }
}
