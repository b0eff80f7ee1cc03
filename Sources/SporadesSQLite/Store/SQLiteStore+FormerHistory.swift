// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// Begins the history anew behind the end of a former store's, if that had one, with the same named readers.
  ///
  /// The objects of this store have other values than those of the former one, and perhaps other keys. A reader that
  /// knows the former history up to any place is therefore told that it has missed something, and reads the objects anew.
  package func succeedHistory(of former: SQLiteStore) throws(StoreError) {
    guard former.keepsHistory else { return }
    let (last, lastChange) = (try former.historyEnds().last, try former.lastChange())
    let readers = try former.namedReaders()
    try write { (writer) throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in
        let connection = writer.connection
        if try !History.isKept(on: connection) {
          let held = plan.model.shapes.filter { plan.layout.storeNumber($0.number) > 0 }
          try History.makeTables(for: held, on: connection)
        }
        try writer.lookForHistory()
        guard let tables = writer.history?.tables else { throw lackOfHistory }
        let shortening = HistoryShortening(connection, tables)
        try shortening.remove(before: .max)
        // One number is left out: it stands for the migration, which nobody knows.
        try History.raise(.transactions, to: last + 1, connection)
        try History.raise(.changes, to: lastChange, connection)
        for reader in readers { try shortening.confirm(reader) }
      }
    }
  }

  /// The number of the last change that was ever in the history.
  private func lastChange() throws(StoreError) -> Int64 {
    try readHistory { (connection, _) throws(StoreError) in
      let maximum = History.counters.maximum(of: CoreDataHistory.Table.changes.entity)
      return try connection.number(maximum) ?? 0
    }
  }
}
