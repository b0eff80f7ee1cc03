// SPDX-License-Identifier: MIT
import SporadesStore

extension Connection {
  /// Runs `body` in a transaction that may write: all of it happens, or nothing.
  func transaction<Output>(
    _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try run(.beginToWrite)
    do throws(StoreError) {
      let output = try body()
      try run(.commit)
      return output
    } catch {
      rollBack()
      throw error
    }
  }

  /// Leaves a transaction after a failure.
  func rollBack() {
    // `try?`, because SQLite leaves the transaction even if the rollback fails.
    if !isOutsideTransaction { try? run(.rollback) }
  }
}
