// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesPostgreSQL
import SporadesStore
import TestServer

/// One chain of versions on a server beside the same on dictionaries, and what differed.
final class ServerChain {
  private(set) var failures: [String] = []
  private(set) var migrations = 0
  private(set) var refusals = 0
  private let place: TestStore
  private var stored: ChangedVersion
  private var next: ChangedVersion
  private var model: ManagedObjectModel
  private var lastSerial = 0
  private var known: Set<[String: [UInt8]]> = []

  init() throws {
    place = try TestStore()
    stored = ChangedVersion(draft: ModelDraft(ChainModel.entities), rows: PlainRows())
    next = stored
    model = try stored.draft.model()
    known = [model.entityVersionHashesByName]
    try place.open(model).close()
  }

  /// Performs the steps until one fails.
  func run(_ steps: [ChangeStep]) {
    for step in steps + [ChangeStep(.migrate), ChangeStep(.fill)] where failures.isEmpty {
      do { try perform(step) } catch { fail("\(step) threw \(error)") }
    }
  }

  private func fail(_ text: String) {
    failures.append("\(text)\n  after: \(next.words.joined(separator: "\n         "))")
  }

  private func perform(_ step: ChangeStep) throws {
    switch step.kind {
    case .migrate: try migrate()
    case .fill, .thin:
      try migrate()
      try fill(step)
    default: _ = next.apply(step)
    }
  }

  private func open(_ model: ManagedObjectModel) throws -> PostgreSQLStore {
    var options = MigrationOptions()
    options.losses = .allowed
    return try place.open(model, options)
  }

  private func fill(_ step: ChangeStep) throws {
    let opened = try open(model)
    if step.kind == .thin {
      try ChainStore.thin(opened, stored.draft)
    } else {
      lastSerial = try ChainStore.fill(
        opened, stored.draft, count: 4 + step.numbers[0] % 8, after: lastSerial, step.random)
    }
    try opened.commit(.eventual)
    stored.rows = try ChainStore.rows(opened)
    try opened.close()
    next = stored
  }

  private func migrate() throws {
    guard !next.words.isEmpty else { return }
    next.checkRules()
    if known.contains(try next.draft.model().entityVersionHashesByName) {
      next.draft.setHashModifier()
    }
    let newer = try next.draft.model()
    do throws(StoreError) { _ = try PostgreSQLStore.schema(for: newer) } catch {
      // The server has no tables for such names.
      next = stored
      return
    }
    known.insert(newer.entityVersionHashesByName)
    guard next.problems.isEmpty else { return try expectRefusal(newer) }
    let opened = try open(newer)
    migrations += 1
    let rows = try ChainStore.rows(opened)
    try opened.close()
    compare(rows)
    try compareTables(newer)
    next.rows = rows
    next.seal()
    (stored, model) = (next, newer)
  }

  private func compare(_ rows: PlainRows) {
    var (expected, found) = (next.rows, rows)
    expected.computeCounts(next.draft)
    for name in next.unordered {
      expected.sortLinks(name)
      found.sortLinks(name)
    }
    for text in expected.differences(from: found).prefix(5) { fail(text) }
  }

  /// The tables are those of a new store.
  private func compareTables(_ newer: ManagedObjectModel) throws {
    let fresh = try TestStore()
    try fresh.open(newer).close()
    let differences = Set(try place.schema()).symmetricDifference(try fresh.schema())
    for text in differences.sorted().prefix(5) { fail("tables: \(text)") }
  }

  private func expectRefusal(_ newer: ManagedObjectModel) throws {
    refusals += 1
    let former = try place.schema() + place.contents()
    do {
      try open(newer).close()
      fail("no refusal, where \(next.problems) was expected")
    } catch let error as StoreError {
      guard case .cannotMigrate(let problems) = error.code else { throw error }
      let kinds = Set(problems.map(\.kind))
      if kinds.isEmpty || !kinds.isSubset(of: next.problems) {
        fail("refused for \(problems), where \(next.problems) was expected")
      }
    }
    if try place.schema() + place.contents() != former { fail("a refusal left traces") }
    next = stored
  }
}
