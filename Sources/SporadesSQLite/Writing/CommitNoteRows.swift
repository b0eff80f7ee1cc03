// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesSQL
import SporadesStore

/// The notes of commits over several stores, in tables that are made when they are first needed.
struct CommitNoteRows {
  private let connection: Connection
  private let statements = CommitNoteStatements(SQLiteDialect())
  /// The largest number of bytes in one row.
  private static let pieceSize = 1 << 20

  init(_ connection: Connection) { self.connection = connection }

  private func has(_ table: String) throws(StoreError) -> Bool {
    try !connection.columns(of: table).isEmpty
  }

  /// Writes notes in the open transaction.
  func write(_ notes: CommitNotes) throws(StoreError) {
    let replaced = Set(notes.settled + notes.intents.map(\.commit))
    let hasIntents = replaced.isEmpty ? false : try has(CommitNoteStatements.intents)
    if hasIntents {
      for commit in replaced { try connection.run(statements.removeIntents(commit)) }
    } else if !notes.intents.isEmpty {
      try connection.run(statements.createIntents)
    }
    for intent in notes.intents { try add(intent) }
    guard !notes.finished.isEmpty || !notes.forgotten.isEmpty else { return }
    if try !has(CommitNoteStatements.finished) { try connection.run(statements.createFinished) }
    for commit in notes.forgotten { try connection.run(statements.removeFinished(commit)) }
    for commit in notes.finished { try connection.run(statements.addFinished(commit)) }
  }

  private func add(_ intent: CommitIntent) throws(StoreError) {
    let seconds = intent.madeAt.timeIntervalSinceReferenceDate
    var start = 0
    repeat {
      let end = min(intent.changes.count, start + Self.pieceSize)
      try connection.run(
        statements.addIntent(
          intent.commit, intent.store, start / Self.pieceSize, madeAt: seconds,
          Array(intent.changes[start..<end])))
      start = end
    } while start < intent.changes.count
  }

  /// Reads the intents. What is damaged in the table becomes an intent that no store can finish.
  func intents() throws(StoreError) -> [CommitIntent] {
    guard try has(CommitNoteStatements.intents) else { return [] }
    var intents: [CommitIntent] = []
    var bytes: [UInt8] = []
    let rows = try connection.rows(statements.allIntents)
    for (place, row) in rows.enumerated() {
      bytes += row[3].blob ?? []
      let next = place + 1 < rows.count ? rows[place + 1] : nil
      guard next?[0] != row[0] || next?[1] != row[1] else { continue }
      intents.append(
        CommitIntent(
          commit: row[0].text ?? "", store: row[1].text ?? "", madeAt: Self.date(row[2]),
          changes: bytes))
      bytes = []
    }
    return intents
  }

  /// Reads the commits and stores of the intents.
  func intentTargets() throws(StoreError) -> [IntentTarget] {
    guard try has(CommitNoteStatements.intents) else { return [] }
    return try connection.rows(statements.intentTargets).map {
      IntentTarget(commit: $0[0].text ?? "", store: $0[1].text ?? "")
    }
  }

  private static func date(_ value: SQLValue) -> Date {
    let seconds: Double =
      switch value {
      case .real(let seconds): seconds
      case .integer(let seconds): Double(seconds)
      case .null, .text, .blob: 0
      }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  func hasFinished(_ commit: String) throws(StoreError) -> Bool {
    guard try has(CommitNoteStatements.finished) else { return false }
    return try connection.number(statements.count(commit)) != 0
  }
}
