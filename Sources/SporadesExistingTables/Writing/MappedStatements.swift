// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL

/// The statements that write rows of one existing table. Each answers with the server's mark of the row.
struct MappedStatements {
  let table: MappedTables.Table
  private let dialect = PostgreSQLDialect()

  init(_ table: MappedTables.Table) { self.table = table }

  private var key: String { dialect.quoted(table.key.column) }

  /// The marks are read behind the write.
  var answersLater: Bool { table.isPartitioned && table.version == nil }

  /// `SELECT t.xmin::text::bigint FROM public.film t WHERE t.film_id = $1`
  var mark: String { "SELECT \(answer) FROM \(table.name.quoted) t WHERE t.\(key) = $1" }

  /// `SELECT 1 FROM public.film t WHERE t.film_id = ANY($1) FOR SHARE`
  var share: String { "SELECT 1 FROM \(table.name.quoted) t WHERE t.\(key) = ANY($1) FOR SHARE" }

  private var returning: String { answersLater ? "" : "RETURNING \(answer)" }

  private var answer: String {
    table.version.map { "t.\(dialect.quoted($0))::bigint" } ?? "t.xmin::text::bigint"
  }

  /// The condition that a row has a version, or a mark of the server.
  private func hasVersion(_ number: Int) -> String {
    table.version.map { "t.\(dialect.quoted($0)) = $\(number)" }
      ?? "t.xmin = $\(number)::text::xid"
  }

  /// The value for that condition.
  func value(ofVersion version: Int64) -> ServerValue {
    table.version == nil ? .text(String(version)) : .int8(version)
  }

  private func parameter(_ slot: Int, _ number: Int) -> String {
    guard let form = table.columns[slot].form else { return "$\(number)" }
    return form.writing.before + "$\(number)" + form.writing.behind
  }

  private func name(_ slot: Int) -> String {
    table.columns[slot].name.map(dialect.quoted) ?? ""
  }

  /// `INSERT INTO public.film AS t (film_id, title) VALUES ($1, $2) RETURNING t.xmin::text::bigint`. The key is the first
  /// parameter. Columns that are left out get the value that the database has for them.
  func insert(_ slots: [Int], ofEntity entity: Int) -> String {
    var (names, values) = ([key], ["$1"])
    if let discriminator = table.discriminator {
      names.append(dialect.quoted(discriminator.column))
      values.append(
        "\(dialect.literal(discriminator.values[entity] ?? ""))::\(discriminator.declared)")
    }
    if let version = table.version {
      names.append(dialect.quoted(version))
      values.append("1")
    }
    for (place, slot) in slots.enumerated() {
      names.append(name(slot))
      values.append(parameter(slot, place + 2))
    }
    return "INSERT INTO \(table.name.quoted) AS t (\(names.joined(separator: ", "))) "
      + (table.key.isAlwaysIdentity ? "OVERRIDING SYSTEM VALUE " : "")
      + "VALUES (\(values.joined(separator: ", "))) \(returning)"
  }

  /// `UPDATE public.film AS t SET title = $3 WHERE t.film_id = $1 AND t.xmin = $2::text::xid RETURNING …`. Where nothing
  /// changes in the row, it is only locked.
  func update(_ slots: [Int]) -> String {
    let condition = "WHERE t.\(key) = $1 AND \(hasVersion(2))"
    var changes = slots.enumerated().map { "\(name($1)) = \(parameter($1, $0 + 3))" }
    if let version = table.version.map(dialect.quoted) {
      changes.append("\(version) = t.\(version) + 1")
    }
    guard !changes.isEmpty else {
      return "SELECT \(answer) FROM \(table.name.quoted) t \(condition) FOR NO KEY UPDATE"
    }
    return "UPDATE \(table.name.quoted) AS t SET \(changes.joined(separator: ", ")) \(condition) "
      + returning
  }

  /// `DELETE FROM public.film AS t USING unnest($1::bigint[], $2::text[]) AS u(k, v) WHERE t.film_id = u.k AND
  /// t.xmin = u.v::xid RETURNING …`. One statement deletes all rows of a table, since they may lead to each other, and the
  /// server looks at that behind it.
  var delete: String {
    let (type, condition) =
      table.version.map { ("bigint", "t.\(dialect.quoted($0)) = u.v") }
      ?? ("text", "t.xmin = u.v::xid")
    return
      "DELETE FROM \(table.name.quoted) AS t USING unnest($1::bigint[], $2::\(type)[]) AS u(k, v) "
      + "WHERE t.\(key) = u.k AND \(condition) RETURNING t.\(key)::bigint"
  }
}

extension MappedTables.Join {
  private var columns: (String, String) {
    (PostgreSQLDialect().quoted(first), PostgreSQLDialect().quoted(second))
  }

  /// Adds a link that is not there. The table may have no constraint by which the server would see that.
  var add: String {
    let (first, second) = columns
    let values = [("$1", others.first), ("$2", others.second)].map { parameter, other in
      other.map { $0.writing.before + parameter + $0.writing.behind } ?? parameter
    }
    return "INSERT INTO \(name.quoted) (\(first), \(second)) SELECT \(values[0]), \(values[1]) "
      + "WHERE NOT EXISTS (SELECT 1 FROM \(name.quoted) WHERE \(condition))"
  }

  /// The link between two rows.
  private var condition: String {
    let (first, second) = columns
    return
      "\(first) = \(others.first?.known("$1") ?? "$1") AND \(second) = \(others.second?.known("$2") ?? "$2")"
  }

  /// Removes the links of a row that is to be deleted.
  func removeAll(ofFirst isFirst: Bool) -> String {
    let (first, second) = columns
    let other = isFirst ? others.first : others.second
    return
      "DELETE FROM \(name.quoted) WHERE \(isFirst ? first : second) = \(other?.known("$1") ?? "$1")"
  }

  var remove: String { "DELETE FROM \(name.quoted) WHERE \(condition)" }
}
