// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// The tables of values that Swift converts for a migration: each value of a type once, beside its equal in the other type.
struct ServerConversions {
  private let connection: ServerConnection
  private let sources: [Pair: Set<Source>]
  /// The number of values that are converted together.
  private static let together = 10_000

  private struct Pair: Hashable {
    let from: AttributeType
    let to: AttributeType
    var table: String {
      ServerMigrationWords().temporary + ServerMigrationWords.table(from, to)
    }
  }

  /// A column of the older version.
  private struct Source: Hashable {
    let table: String
    let column: String
  }

  init(_ succession: RowSuccession, _ connection: ServerConnection) {
    self.connection = connection
    var sources: [Pair: Set<Source>] = [:]
    for place in succession.new.tables {
      let root = succession.new.model.shape(numbered: succession.new.table(place).rootEntity)
      for slot in root.layout.slots {
        guard case .attribute(let attribute) = slot.role else { continue }
        let contents = AttributeContents(succession: succession, slot: slot, attribute: attribute)
        for change in contents.changes {
          guard let old = change.old, let column = change.column, change.conversion != nil,
            ServerMigrationWords.isSwifts(old.type, attribute.type)
          else { continue }
          let table = succession.old.table(change.piece.old).name
          sources[Pair(from: old.type, to: attribute.type), default: []]
            .insert(Source(table: table, column: column))
        }
      }
    }
    self.sources = sources
  }

  /// Makes and fills the tables. They end with the transaction.
  func fill() throws(StoreError) {
    for (pair, columns) in sources {
      try make(pair, columns)
      while try convertSome(pair) {}
      try connection.run("CREATE INDEX ON \(pair.table) USING hash (before)")
      try connection.run("ANALYZE \(pair.table)")
    }
  }

  private func make(_ pair: Pair, _ columns: Set<Source>) throws(StoreError) {
    let (from, to) = (ServerType(pair.from), ServerType(pair.to))
    try connection.run(
      "CREATE TEMP TABLE \(ServerMigrationWords.table(pair.from, pair.to)) (number bigint PRIMARY KEY, "
        + "before \(from.declaration), after \(to.declaration), is_done boolean) ON COMMIT DROP")
    let dialect = PostgreSQLDialect()
    let values = columns.map { source in
      let column = dialect.quoted(source.column)
      return
        "SELECT \(column) AS before FROM \(dialect.quoted(source.table)) WHERE \(column) IS NOT NULL"
    }.sorted().joined(separator: " UNION ALL ")
    try connection.run(
      "INSERT INTO \(pair.table) (number, before) SELECT row_number() OVER (), before "
        + "FROM (SELECT DISTINCT before FROM (\(values)) v) u")
  }

  /// Converts the next values. False if none were left.
  private func convertSome(_ pair: Pair) throws(StoreError) -> Bool {
    let (from, to) = (ServerType(pair.from), ServerType(pair.to))
    let answer = try connection.run(
      "SELECT number, before\(from == .numeric ? "::text" : "") FROM \(pair.table) WHERE is_done IS NULL "
        + "ORDER BY number LIMIT \(Self.together)")
    guard answer.count > 0 else { return false }
    var (numbers, values): ([ServerValue], [ServerValue]) = ([], [])
    for row in 0..<answer.count {
      let before = answer.value(row, 1, pair.from)
      let after = before.converted(from: pair.from, keptAs: pair.to)
      numbers.append(.int8(answer.integer(row, 0)))
      values.append(after.flatMap { ServerValue(keeping: $0, as: to) } ?? .null(to))
    }
    try connection.run(
      "UPDATE \(pair.table) m SET after = u.after, is_done = true "
        + "FROM unnest($1::bigint[], $2::\(to.name)[]) AS u(number, after) WHERE m.number = u.number",
      [.list(.int8, numbers), .list(to, values)])
    return true
  }
}

extension ServerRows {
  /// The value of an attribute; decimals are read as their digits. Null for what the type does not have.
  func value(_ row: Int, _ column: Int, _ type: AttributeType) -> Value {
    guard !isNull(row, column) else { return .null }
    switch ServerType(type) {
    case .bool: return .boolean(blob(row, column) == [1])
    case .int2, .int4, .int8: return integer(row, column).map { .integer($0) } ?? .null
    case .float8:
      return integer(row, column).map { .double(Double(bitPattern: UInt64(bitPattern: $0))) }
        ?? .null
    case .timestamptz:
      return integer(row, column).flatMap(ServerDate.seconds)
        .map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
    case .numeric:
      return text(row, column).flatMap { DecimalText.text(of: $0) }.flatMap { Decimal(string: $0) }
        .map { .decimal($0) } ?? .null
    case .text:
      guard let text = text(row, column) else { return .null }
      return type == .uri ? URL(string: text).map { .url($0) } ?? .null : .string(text)
    case .uuid: return blob(row, column).flatMap(UUID.init(bytes:)).map { .uuid($0) } ?? .null
    default: return blob(row, column).map { .data(Data($0)) } ?? .null
    }
  }
}

extension UUID {
  fileprivate init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self = unsafe bytes.withUnsafeBytes { unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension ServerValue {
  /// The form of an attribute's value in a column; nil for one that the column cannot hold.
  init?(keeping value: Value, as type: ServerType) {
    switch (type, value) {
    case (.bool, .boolean(let truth)): self = .bool(truth)
    case (.int2, .integer(let number)):
      guard let small = Int16(exactly: number) else { return nil }
      self = .int2(small)
    case (.int4, .integer(let number)):
      guard let small = Int32(exactly: number) else { return nil }
      self = .int4(small)
    case (.int8, .integer(let number)): self = .int8(number)
    case (.float8, .double(let number)): self = number.isNaN ? .null(.float8) : .float8(number)
    case (.numeric, .decimal(let number)):
      guard let form = NumericForm.bytes(number.description) else { return nil }
      self.init(type: .numeric, bytes: form)
    case (.timestamptz, .date(let date)):
      let moment = ServerDate.microseconds(date.timeIntervalSinceReferenceDate)
      guard let moment else { return nil }
      self = .timestamptz(moment)
    case (.text, .string(let text)):
      guard !text.utf8.contains(0) else { return nil }
      self = .text(text)
    case (.text, .url(let url)): self = .text(url.absoluteString)
    case (.uuid, .uuid(let uuid)): self = .uuid(uuid.bytes)
    case (.bytea, .data(let data)): self = .bytea(Array(data))
    default: return nil
    }
  }
}
