// SPDX-License-Identifier: MIT
import Synchronization

/// An observation of a store. It lasts until ``end()`` or until it is released.
public final class StoreObservation: Sendable {
  private let isEnded = Atomic(false)
  private let stop: @Sendable () -> Void

  /// Makes an observation that calls `stop` once at its end.
  public init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

  /// Ends the observation. A call that has begun meanwhile may still go on.
  public func end() {
    if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { stop() }
  }

  deinit { end() }
}
