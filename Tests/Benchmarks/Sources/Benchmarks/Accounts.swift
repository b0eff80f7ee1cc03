// SPDX-License-Identifier: MIT
import Foundation
import RawStore
@_spi(Measuring) import SporadesImport

/// The accounts of a run as lines of JSON, in files beside the stores.
struct Accounts {
  /// All accounts.
  let file: URL
  /// The same, with another age in each tenth.
  let changed: URL

  init(_ sample: Sample, beside path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    file = folder.appendingPathComponent("accounts.jsonl")
    changed = folder.appendingPathComponent("changed.jsonl")
    guard !FileManager.default.fileExists(atPath: changed.path) else { return }
    try Self.lines(sample, changing: false).write(to: file)
    try Self.lines(sample, changing: true).write(to: changed)
  }

  private static func lines(_ sample: Sample, changing: Bool) -> Data {
    var text = Data()
    for (index, player) in sample.players.enumerated() {
      let age = changing && index % 10 == 3 ? player.age + 1 : player.age
      let date = Date(timeIntervalSinceReferenceDate: player.createdAt.rounded(.down))
      text.append(
        contentsOf: """
          {"email": "\(player.email)", "name": "\(player.firstName) \(player.lastName)", "age": \(age), \
          "score": \((player.score * 100).rounded() / 100), "active": \(player.isActive), \
          "createdAt": "\(date.formatted(.iso8601))", "club": "C\(player.team)"}

          """.utf8)
    }
    return text
  }

  /// Imports the accounts with prepared statements, in the open transaction.
  func importRaw(_ database: borrowing RawDatabase, changing: Bool = false) throws {
    var reader = try FieldReader(
      changing ? changed : file,
      keys: ["email", "name", "age", "score", "active", "createdAt", "club"])
    let statement = database.prepare(RawAccount.upsert)
    var key = database.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1")
    try unsafe reader.forEachRecord { values in
      key += 1
      let row = unsafe RawAccount.Row(
        email: values[0], name: values[1], age: FieldReader.integer(values[2]),
        score: FieldReader.double(values[3]), isActive: values[4].count == 4,
        createdAt: FieldReader.date(values[5]), club: values[6])
      unsafe RawAccount.run(statement, key, row)
    }
    key = database.number("SELECT max(Z_PK) FROM ZACCOUNT")
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = 1")
  }

  /// A checksum of all accounts in a file, whoever wrote them.
  static func contents(of path: String) -> UInt64 {
    let database = RawDatabase(path)
    let sums = [
      "count(*)", "sum(Z_ENT)", "sum(Z_OPT)", "sum(ZACTIVE)", "sum(ZAGE)", "sum(ZCLUB * ZAGE)",
      "sum(CAST(ZCREATEDAT * 1000 AS INTEGER))", "sum(CAST(ZSCORE * 1000000 AS INTEGER))",
      "sum(unicode(substr(ZEMAIL, 3)) * length(ZEMAIL))", "sum(unicode(ZNAME) * length(ZNAME))",
    ]
    let statement = database.prepare("SELECT \(sums.joined(separator: ", ")) FROM ZACCOUNT")
    precondition(statement.step(), "A sum answers a row even of an empty table.")
    var sum = Checksum()
    for column in 0..<Int32(sums.count) { sum.add(Int(statement.integer(column))) }
    return sum.value
  }
}
