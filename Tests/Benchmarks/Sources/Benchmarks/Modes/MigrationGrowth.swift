// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import RawStore
import Sporades

/// Shows that adding an attribute without values costs the same for any number of rows.
struct MigrationGrowth {
  private let sizes: [Int]
  private let folder: URL
  private static let migrations = 5
  /// What the largest store may take longer than the smallest one, in milliseconds: a disk is that much slower at times.
  private static let allowance = 25.0

  init(isFull: Bool, folder: URL) {
    sizes = isFull ? [1_000, 1_000_000, 10_000_000] : [1_000, 100_000]
    self.folder = folder
  }

  private enum Kind: String, CaseIterable {
    case plain = "add an attribute"
    case indexed = "the same, with an index over another"
    case withHistory = "the same, with a history of each row"
  }

  /// Prints a line per kind, and returns a sentence for each that grows.
  func run() throws -> [String] {
    Columns.line("milliseconds at", sizes.map { "\($0 / 1_000) k" })
    var complaints: [String] = []
    for kind in Kind.allCases {
      let times = try sizes.map { try milliseconds(kind, $0) }
      Columns.line(kind.rawValue, times.map { decimal($0, 1) })
      if let first = times.first, let last = times.last, last > 2 * first + Self.allowance {
        complaints.append(
          "To \(kind.rawValue) takes \(decimal(last, 1)) ms for \(sizes.last ?? 0) rows, and \(decimal(first, 1)) ms "
            + "for \(sizes[0]).")
      }
    }
    return complaints
  }

  /// The least of several times, each for one more attribute.
  private func milliseconds(_ kind: Kind, _ size: Int) throws -> Double {
    let path = folder.appendingPathComponent("migrated-\(size).sqlite").path
    defer { for end in ["", "-wal", "-shm"] { unsafe unlink(path + end) } }
    try make(kind, size, at: path)
    var times: [Double] = []
    for number in 1...Self.migrations {
      let model = Readings.version(number, isIndexed: kind == .indexed)
      let time = try ContinuousClock().measure {
        try SQLiteStore.migrate(storeAt: URL(fileURLWithPath: path), to: model)
      }
      times.append(time / .milliseconds(1))
    }
    return times.min() ?? 0
  }

  private func make(_ kind: Kind, _ size: Int, at path: String) throws {
    var options = SQLiteStoreOptions()
    options.persistentHistory = kind == .withHistory ? .on : .asInFile
    try SQLiteStore(
      path: path, model: Readings.version(0, isIndexed: kind == .indexed), options: options
    ).close()
    let database = RawDatabase(path)
    database.execute("BEGIN")
    RawMigration.fill(database, size)
    if kind == .withHistory {
      database.execute(
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 16002, 1, 0)")
      database.execute(
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) \
        SELECT Z_PK, 16001, 1, 0, 1, Z_PK, 1 FROM ZREADING
        """)
    }
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
