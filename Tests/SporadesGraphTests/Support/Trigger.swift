// SPDX-License-Identifier: MIT
import CSQLite
import Testing

/// The triggers Core Data writes for `dogs.@count` of a person.
enum Trigger {
  static func add(to path: String) throws {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    for (name, moment, row, change) in [
      ("INSERT", "INSERT", "NEW", "+ 1"), ("UPDATE_INCREMENT", "UPDATE OF ZOWNER", "NEW", "+ 1"),
      ("UPDATE_DECREMENT", "UPDATE OF ZOWNER", "OLD", "- 1"), ("DELETE", "DELETE", "OLD", "- 1"),
    ] {
      // A new file has triggers of these names, whose texts differ a little.
      let sql = """
        DROP TRIGGER IF EXISTS Z_DA_ZDOG_Person_dogCount_PARAMETER_\(name); \
        CREATE TRIGGER Z_DA_ZDOG_Person_dogCount_PARAMETER_\(name) AFTER \(moment) ON ZDOG FOR EACH ROW \
        WHEN (\(row).ZOWNER NOT NULL) BEGIN UPDATE ZPERSON SET ZDOGCOUNT = IFNULL(ZDOGCOUNT, 0) \
        \(change) WHERE Z_PK = \(row).ZOWNER; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue(\
        'ZPERSON', Z_ENT, Z_PK, 'dogCount', ZDOGCOUNT) FROM ZPERSON WHERE Z_PK = \(row).ZOWNER; END
        """
      try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
    }
  }
}
