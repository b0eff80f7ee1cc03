// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch
import SporadesStore

/// Puts the words of rows into an index, in a transaction that has the lock on the index's state.
struct IndexWriter {
  private let table: ServerIndexTable
  private let connection: ServerConnection
  /// The rows whose texts are in memory at once.
  static let most = 100

  init(_ table: ServerIndexTable, _ connection: ServerConnection) {
    self.table = table
    self.connection = connection
  }

  /// Indexes rows behind a key. Returns the key of the last one; nil at the end.
  func fill(behind next: Int64, most: Int) throws(StoreError) -> Int64? {
    let (key, name) = (table.dialect.quoted(table.search.key), table.dialect.quoted(table.name))
    let answer = try connection.run(
      "SELECT \(key) FROM \(name) WHERE \(key) > $1 ORDER BY \(key) LIMIT \(most)", [.int8(next)])
    let keys = answer.keys
    try put(keys)
    try connection.run(
      "UPDATE \(ServerIndexTable.states) SET next = $2 WHERE name = $1",
      [.text(table.name), .int8(keys.last)])
    return keys.last
  }

  /// Indexes rows whose keys are noted, and removes the notes. Returns the number of notes.
  func indexChanged(most: Int) throws(StoreError) -> Int {
    for place in table.search.references.indices {
      let gone =
        "WITH gone AS (\(Self.taking(table.dialect.quoted(table.changed(at: place)), most)))"
      let owners = table.owners(at: place, of: "SELECT key FROM gone").text(in: table.dialect)
      try connection.run(
        "\(gone) INSERT INTO \(table.dialect.quoted(table.changed)) (key) \(owners)")
    }
    let keys = try connection.run(Self.taking(table.dialect.quoted(table.changed), most)).keys
    try put(Set(keys).sorted())
    return keys.count
  }

  private static func taking(_ notes: String, _ most: Int) -> String {
    "DELETE FROM \(notes) WHERE ctid = ANY (ARRAY(SELECT ctid FROM \(notes) LIMIT \(most))) RETURNING key"
  }

  // MARK: - Words

  /// Replaces the words of rows by those of their present texts.
  private func put(_ keys: [Int64]) throws(StoreError) {
    for first in stride(from: 0, to: keys.count, by: Self.most) {
      let some = Array(keys[first..<min(first + Self.most, keys.count)])
      let entries = IndexEntries(try connection.run(table.rows, [.int8List(some)]), table)
      _ = try connection.pipelined { (connection) throws(StoreError) in
        try connection.send(removal, [.int8List(some), .text(table.name)])
        guard !entries.isEmpty else { return }
        try connection.send(insertion, entries.values + [.text(table.name)])
      }
    }
  }

  private var removal: String {
    """
    WITH gone AS (DELETE FROM \(table.dialect.quoted(table.index)) WHERE key = ANY($1) RETURNING tokens) \
    UPDATE \(ServerIndexTable.states) SET rows = rows - (SELECT count(*) FROM gone), \
    tokens = tokens - (SELECT coalesce(sum(tokens), 0)::bigint FROM gone) WHERE name = $2
    """
  }

  private var insertion: String {
    """
    WITH new AS (INSERT INTO \(table.dialect.quoted(table.index)) (key, cut, tokens, \(table.columns.joined(separator: ", "))) \
    \(IndexEntries.selection(table.columns)) RETURNING tokens) \
    UPDATE \(ServerIndexTable.states) SET rows = rows + (SELECT count(*) FROM new), \
    tokens = tokens + (SELECT coalesce(sum(tokens), 0)::bigint FROM new) WHERE name = $\(table.columns.count + 4)
    """
  }
}

/// The words of some rows on their way to an index.
struct IndexEntries {
  private var keys: [Int64] = []
  private var cuts: [Int16] = []
  private var tokens: [Int64] = []
  private var vectors: [[String]]

  /// Takes the answer to ``ServerIndexTable/rows``.
  init(_ rows: ServerRows, _ table: ServerIndexTable) {
    vectors = Array(repeating: [], count: table.columns.count)
    for row in 0..<rows.count {
      guard let key = rows.integer(row, 0) else { continue }
      var (cut, count) = (TextVector.Cut.nothing.rawValue, 0)
      for place in vectors.indices {
        let text = rows.text(row, place + 1) ?? ""
        let vector = TextVector(folded: SearchTokens.folded(text, table.search.form))
        vectors[place].append(vector.text)
        cut = max(cut, vector.cut.rawValue)
        count += vector.tokens
      }
      keys.append(key)
      cuts.append(cut)
      tokens.append(Int64(count))
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// The lists for ``selection(_:)``.
  var values: [ServerValue] {
    [
      .int8List(keys), .list(.int2, cuts.map { .int2($0) }), .int8List(tokens),
    ] + vectors.map { .list(.text, $0.map { .text($0) }) }
  }

  /// Selects the entries out of lists, which are the first parameters.
  static func selection(_ columns: [String]) -> String {
    let lists = columns.indices.map { "$\($0 + 4)::text[]" }
    return
      "SELECT e.key, e.cut, e.tokens, \(columns.map { "e.\($0)::tsvector" }.joined(separator: ", ")) FROM "
      + "unnest($1::bigint[], $2::smallint[], $3::bigint[], \(lists.joined(separator: ", "))) "
      + "AS e(key, cut, tokens, \(columns.joined(separator: ", ")))"
  }
}

extension ServerRows {
  /// The keys in the first column.
  var keys: [Int64] { (0..<count).compactMap { integer($0, 0) } }
}
