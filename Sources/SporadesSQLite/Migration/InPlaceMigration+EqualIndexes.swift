// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

extension InPlaceMigration {
  /// Drops the indexes that equal one of the newer version under another name. Older systems named indexes otherwise, and
  /// gave the columns of joins other numbers; each write would keep both.
  func dropEqualIndexes() throws(StoreError) {
    let new = succession.new
    let names = Set(
      CreateStatements(new.scheme, SQLiteDialect(), in: new.layout).namedIndexes.map(\.name))
    var own: Set<[SQLValue]> = []
    var others: [(name: String, form: [SQLValue])] = []
    for row in try connection.rows(.wholeIndexes) {
      guard let name = row[0].text else { continue }
      let form = Array(row.dropFirst())
      if names.contains(name) { own.insert(form) } else { others.append((name, form)) }
    }
    for (name, form) in others where own.contains(form) {
      try connection.run(statements.drop(.index, name))
    }
  }
}
