// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// The work of a migration, found without doing it.
extension ServerMigration {
  func forecast() throws(StoreError) -> MigrationForecast {
    var forecast = MigrationForecast()
    forecast.problems = try problems()
    for change in tables { try add(change, to: &forecast) }
    for change in joins { add(change, to: &forecast) }
    let parts = try PartChanges(self)
    forecast.steps += (parts.removals + parts.additions).map { .init($0) }
    forecast.losses = try losses()
    forecast.problemsLeftToCode = try problemsLeftToCode()
    forecast.lossesLeftToCode = try losses(leftToCode: true)
    if refusesLosses {
      forecast.problems += forecast.losses.map(refusal.problem)
      if let remark = remark(on: forecast.losses) { forecast.notes.append(remark) }
    }
    if let note = former.note { forecast.notes.append(note) }
    try addNotes(to: &forecast)
    return forecast
  }

  private func addNotes(to forecast: inout MigrationForecast) throws(StoreError) {
    for piece in succession.pieces {
      guard let offset = succession.offsets[piece] else { continue }
      let (from, to) = (succession.old.table(piece.old), succession.new.table(piece.new))
      forecast.notes.append(
        "The objects of \(from.name) come into \(to.name), and their keys grow by \(offset).")
    }
    let lacks = LinkLacks(succession).notes.map { ($0.count, $0.sentence) }
    let cut = LinksToNothing(succession).notes.map { ($0.count, $0.sentence) }
    for (question, sentence) in lacks + cut {
      let count = try connection.number(question.rendered(in: dialect)) ?? 0
      if count > 0 { forecast.notes.append(sentence.text(count)) }
    }
  }

  private func count(_ table: String) throws(StoreError) -> Int {
    Int(try connection.number(statements.count(ofTable: table)) ?? 0)
  }

  private func bytes(_ table: String) throws(StoreError) -> Int {
    let answer = try connection.run(
      "SELECT pg_total_relation_size(quote_ident($1)::regclass)", [.text(table)])
    return Int(answer.integer(0, 0) ?? 0)
  }

  private func add(
    _ change: TableChange, to forecast: inout MigrationForecast
  ) throws(StoreError) {
    let name = change.name
    switch change.form {
    case .made: forecast.steps.append(.init(table: name, "create the table \(name)"))
    case .rewritten:
      let sources = change.pieces.map { succession.old.table($0.old).name }
      var rows = 0
      for source in sources {
        rows += try count(source)
        forecast.bytes += try bytes(source)
      }
      forecast.steps.append(
        .init(
          table: name, rows: rows,
          "write the table \(name) again from \(sources.joined(separator: ", "))"))
    case .altered(let alteration): try add(alteration, change, to: &forecast)
    }
  }

  private func add(
    _ alteration: TableChange.Alteration, _ change: TableChange,
    to forecast: inout MigrationForecast
  ) throws(StoreError) {
    let name = change.name
    var texts: [String] = []
    if alteration.oldName != name {
      texts.append("rename the table \(alteration.oldName) to \(name)")
    }
    texts += alteration.renamed.sorted { $0.key < $1.key }.map {
      "rename the column \($0) of \(name) to \($1)"
    }
    texts += alteration.added.map { "add the column \(change.columns[$0].name) to \(name)" }
    texts += alteration.left.map { "drop the column \($0) of \(name)" }
    forecast.steps += texts.map { .init(table: name, $0) }
    let columns = alteration.computed.filter { index in
      !alteration.added.contains(index) || constant(change.columns[index], change) == nil
    }.map { change.columns[$0].name }
    let all = columns + (alteration.changesNumbers ? [ServerLayout.names.row.entity] : [])
    guard !all.isEmpty || !alteration.gone.isEmpty else { return }
    forecast.bytes += try bytes(alteration.oldName)
    forecast.steps.append(
      .init(
        table: name, rows: try count(alteration.oldName),
        all.isEmpty ? "delete rows of \(name)" : "write \(all.joined(separator: ", ")) of \(name)"))
  }

  private func add(_ change: JoinChange, to forecast: inout MigrationForecast) {
    let name = change.table.name
    switch change.form {
    case .made: forecast.steps.append(.init(table: name, "create the table \(name)"))
    case .filled: forecast.steps.append(.init(table: name, "write the links of \(name) again"))
    case .renamed(let old, let columns):
      let former = succession.old.layout.joins[old].name
      guard former != name || !columns.isEmpty else { return }
      forecast.steps.append(.init(table: name, "rename the table \(former) of links to \(name)"))
    }
  }
}
