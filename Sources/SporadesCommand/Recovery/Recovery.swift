// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// The numbers of rows that were found in a damaged store, and of parts that were not.
struct RecoveryReport {
  /// The numbers of rows, by table.
  var rows: [(table: String, count: Int)] = []
  /// The rows of pages that no tree leads to any more.
  var orphans = 0
  /// The rows and pages of tables that could not be read. A page may have held many rows.
  var unreadableCells = 0
  var unreadablePages = 0
  var notes: [String] = []
}

/// Writes each row of a damaged database that can be read into a new one with the same tables.
struct Recovery {
  private let schema: SalvagedSchema
  private var reader: TreeReader
  private let target: Connection
  private var report = RecoveryReport()
  /// The names of the tables whose descriptions SQLite refuses.
  private var unmade: Set<String> = []
  /// The tables are those of a model, because the file's own list of them is lost. No tree of theirs is known.
  private let isOfModel: Bool

  /// Reads the tables of the damaged file, and makes them in an empty one. Where the file does not tell them, those of a
  /// new store of the model serve.
  init(of path: String, into draft: String, _ model: ManagedObjectModel?) throws {
    let pages = try DatabasePages(path: path)
    reader = TreeReader(pages)
    let own = SalvagedSchema(&reader)
    isOfModel = own.tables.isEmpty
    schema = isOfModel ? try Self.schema(ofNewStoreAt: draft, path, model) : own
    report.notes = own.leftOut
    if isOfModel {
      report.notes.append(
        "The list of tables is lost. The tables are those of the model, and each row is known by the number of its entity; "
          + "the store has another UUID, and links between many objects and many are lost.")
    }
    if pages.lostFrames > 0 {
      report.notes.append(
        "The log is damaged: \(pages.lostFrames) of its pages, and what was committed in them, are lost."
      )
    }
    guard isOfModel || FileManager.default.createFile(atPath: draft, contents: nil) else {
      throw CommandError.failed("\(draft) cannot be made.")
    }
    target = try Connection(path: draft, access: .readWrite, busyMilliseconds: 1_000)
    target.liftStepLimit()
    try target.run(SQLStatement("PRAGMA journal_mode = OFF"))
    try target.run(SQLStatement("BEGIN"))
    if !isOfModel { makeTables() }
  }

  /// Makes a store, and reads what its tables are.
  private static func schema(
    ofNewStoreAt draft: String, _ path: String, _ model: ManagedObjectModel?
  ) throws -> SalvagedSchema {
    guard let model else {
      throw CommandError.failed(
        "The list of tables in \(path) cannot be read, so that nothing tells which rows are which. Add --model with the "
          + "file of the store's model, or restore a backup.")
    }
    try SQLiteStore(path: draft, model: model).close()
    var reader = TreeReader(try DatabasePages(path: draft))
    return SalvagedSchema(&reader)
  }

  private mutating func makeTables() {
    for table in schema.tables {
      do throws(StoreError) { try target.run(SQLStatement(table.sql)) } catch {
        unmade.insert(table.name)
        report.notes.append(
          "The table \(table.name) is left out, because its description is damaged.")
      }
    }
  }

  mutating func run(_ progress: (Int) -> Void) throws -> RecoveryReport {
    let count = isOfModel ? 0 : try takeTrees(progress)
    try takeOrphans(progress, count)
    report.unreadableCells = reader.unreadableCells
    report.unreadablePages = reader.unreadablePages
    if !isOfModel { for statement in schema.others { try make(statement) } }
    try target.run(SQLStatement("COMMIT"))
    target.close()
    return report
  }

  /// Takes the rows to which the trees of the tables lead. Returns their number.
  private mutating func takeTrees(_ progress: (Int) -> Void) throws -> Int {
    var count = 0
    for table in schema.tables where !unmade.contains(table.name) {
      let insertion = Insertion(table)
      var rows = 0
      var refused = 0
      try reader.read(treeAt: table.root) { row in
        count += 1
        progress(count)
        if try insertion.run(row, on: target) { rows += 1 } else { refused += 1 }
      }
      report.rows.append((table.name, rows))
      if refused > 0 {
        report.notes.append(
          "\(refused) rows of \(table.name) are damaged, or there twice, and are left out.")
      }
    }
    return count
  }

  /// Takes rows that no tree leads to, by the number of their entity. Rows of other tables name no table.
  private mutating func takeOrphans(_ progress: (Int) -> Void, _ read: Int) throws {
    let insertions = try tablesOfEntities().mapValues(Insertion.init)
    var count = read
    var found = 0
    try reader.readOrphans { row in
      count += 1
      progress(count)
      // Core Data's rows begin with an empty key and the number of the entity.
      guard row.values.count > 2, row.values[0] == .null, let number = row.values[1].integer,
        let insertion = insertions[number], insertion.fits(row)
      else { return }
      if try insertion.run(row, on: target) { found += 1 }
    }
    report.orphans = found
  }

  /// The tables of the entities that the store numbers, by these numbers.
  private func tablesOfEntities() throws -> [Int64: SalvagedSchema.Table] {
    let names = CoreDataLayout.names.counters
    guard schema.tables.contains(where: { $0.name == names.table }) else { return [:] }
    let columns = [names.entity, names.name, names.parent].map(Insertion.quoted)
    let rows = try target.rows(
      SQLStatement(
        "SELECT \(columns.joined(separator: ", ")) FROM \(Insertion.quoted(names.table))"))
    var parents: [Int64: Int64] = [:]
    var titles: [Int64: String] = [:]
    for row in rows {
      guard let number = row[0].integer else { continue }
      titles[number] = row[1].text
      parents[number] = row[2].integer ?? 0
    }
    var tables: [Int64: SalvagedSchema.Table] = [:]
    for number in titles.keys {
      var root = number
      var steps = 0
      while let parent = parents[root], parent > 0, steps < titles.count {
        (root, steps) = (parent, steps + 1)
      }
      guard let title = titles[root] else { continue }
      tables[number] = schema.tables.first {
        $0.name == CoreDataLayout.tableName(title) && !unmade.contains($0.name)
      }
    }
    return tables
  }

  /// Makes an index, a trigger or a view. One that the rows do not allow is left out.
  private mutating func make(_ statement: String) throws {
    do throws(StoreError) { try target.run(SQLStatement(statement)) } catch {
      let title = statement.prefix(60)
      report.notes.append("\(title)… is left out: \(error.detail)")
    }
  }
}

/// The statement that writes a row of a table.
private struct Insertion {
  private let table: SalvagedSchema.Table

  init(_ table: SalvagedSchema.Table) { self.table = table }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// Whether a row can be one of the table. A column that was added later may be missing.
  func fits(_ row: SalvagedRow) -> Bool { row.values.count <= table.columns.count }

  /// False if the table refuses the row, or has another one with its key.
  func run(_ row: SalvagedRow, on connection: Connection) throws -> Bool {
    guard fits(row) else { return false }
    var values = row.values
    if let place = table.keyColumn, place < values.count { values[place] = .integer(row.key) }
    let columns = table.columns.prefix(values.count).map(Self.quoted)
    let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
    let sql =
      "INSERT OR IGNORE INTO \(Self.quoted(table.name)) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    do throws(StoreError) {
      try connection.write(SQLStatement(sql, values))
      return connection.changes > 0
    } catch {
      guard case .constraint = error.code else { throw error }
      return false
    }
  }
}
