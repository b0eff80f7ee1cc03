// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Reads what is accepted and not committed yet, which only the writer's transaction shows.
extension ServerWriter {
  /// Runs `body` in the writer's transaction. A read that fails or is stopped does not take the accepted changes with it.
  mutating func read<Output>(
    _ body: (ServerReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try Cancellation.check()
    try restore()
    // The end of an encrypted connection would be that of the transaction, so that a cancellation waits for the read.
    guard connection.takesCancellations else {
      return try Cancellation.shielding { () throws(StoreError) in try readUnstopped(body) }
    }
    return try Cancellation.current == nil ? readUnstopped(body) : readStoppably(body)
  }

  private mutating func readUnstopped<Output>(
    _ body: (ServerReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    do throws(StoreError) { return try body(reading) } catch {
      // The changes are executed again before anything else.
      if connection.isInFailedTransaction { rollback() }
      throw error
    }
  }

  /// Reads behind a savepoint, to which a stopped read returns: others could change the rows before the changes are executed
  /// again.
  private mutating func readStoppably<Output>(
    _ body: (ServerReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try Cancellation.shielding { () throws(StoreError) in
      _ = try connection.run("SAVEPOINT reading")
    }
    do throws(StoreError) {
      let output = try body(reading)
      try leaveSavepoint(undoing: false)
      return output
    } catch {
      guard !connection.isBroken else { throw error }
      do throws(StoreError) { try leaveSavepoint(undoing: true) } catch { rollback() }
      throw error
    }
  }

  private func leaveSavepoint(undoing isUndone: Bool) throws(StoreError) {
    try Cancellation.shielding { () throws(StoreError) in
      _ = try connection.pipelined { (connection) throws(StoreError) in
        if isUndone { try connection.send("ROLLBACK TO SAVEPOINT reading") }
        try connection.send("RELEASE SAVEPOINT reading")
      }
    }
  }
}
