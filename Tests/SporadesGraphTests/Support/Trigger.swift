// SPDX-License-Identifier: MIT
import Foundation

/// The triggers Core Data writes for `dogs.@count` of a person.
enum Trigger {
  static func add(to path: String) throws {
    let statements = [
      ("INSERT", "INSERT", "NEW", "+ 1"), ("UPDATE_INCREMENT", "UPDATE OF ZOWNER", "NEW", "+ 1"),
      ("UPDATE_DECREMENT", "UPDATE OF ZOWNER", "OLD", "- 1"), ("DELETE", "DELETE", "OLD", "- 1"),
    ].map { name, moment, row, change in
      // A new file has triggers of these names, whose texts differ a little.
      """
        DROP TRIGGER IF EXISTS Z_DA_ZDOG_Person_dogCount_PARAMETER_\(name); \
        CREATE TRIGGER Z_DA_ZDOG_Person_dogCount_PARAMETER_\(name) AFTER \(moment) ON ZDOG FOR EACH ROW \
        WHEN (\(row).ZOWNER NOT NULL) BEGIN UPDATE ZPERSON SET ZDOGCOUNT = IFNULL(ZDOGCOUNT, 0) \
        \(change) WHERE Z_PK = \(row).ZOWNER; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue(\
        'ZPERSON', Z_ENT, Z_PK, 'dogCount', ZDOGCOUNT) FROM ZPERSON WHERE Z_PK = \(row).ZOWNER; END
      """
    }
    try OtherProgram.run(statements, on: URL(fileURLWithPath: path))
  }
}
