// SPDX-License-Identifier: MIT
import SporadesStore

// A server that finds writers waiting for each other ends the transaction of one of them.
extension ServerWriter {
  /// Runs `body`, and again if the server undid it because of another transaction. The accepted change sets are executed again
  /// before it, since the locks that they hold are what the other one waits for.
  mutating func repeating<Output>(
    _ body: (inout ServerWriter) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let deadline = ContinuousClock.now + source.options.reconnectTimeout
    while true {
      do throws(StoreError) { return try body(&self) } catch {
        guard error.isOfOrder, !connection.isBroken, ContinuousClock.now < deadline else {
          throw error
        }
        rollback()
      }
    }
  }
}

extension StoreError {
  /// The server undid a transaction that may succeed behind another one: a deadlock, or a state that serves no longer.
  fileprivate var isOfOrder: Bool { ["40001", "40P01"].contains(serverFailure?.state) }
}
