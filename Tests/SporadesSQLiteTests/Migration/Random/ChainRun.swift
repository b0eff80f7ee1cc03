// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode

/// One chain of versions on a store beside the same on dictionaries, and what differed.
final class ChainRun {
  private(set) var failures: [String] = []
  private(set) var migrations = 0
  private(set) var refusals = 0
  private(set) var jumps = 0
  private(set) var rowWorks = 0
  private(set) var ways = 0
  /// The changes that migrations carried out, by their kinds.
  private(set) var changes: [ChangeStep.Kind: Int] = [:]
  /// The changes since the last migration.
  private var pending: [ChangeStep.Kind] = []
  private let store: ChainStore
  /// The store's version, and the next one.
  private var stored: ChangedVersion
  private var next: ChangedVersion
  private var model: ManagedObjectModel
  private var lastSerial = 0
  private var movesKeys = false
  /// The store as it was some versions ago, to take it to the last one at once.
  private var held: (store: ChainStore, versions: [ManagedObjectModel])?

  private let keepsHistory: Bool
  private let comparesWays: Bool
  /// The hashes of all versions so far.
  private var known: Set<[String: [UInt8]]> = []

  /// With `comparesWays`, each version is also reached by a stage with code and by a mapping model.
  init(keepsHistory: Bool, comparesWays: Bool = false) throws {
    self.keepsHistory = keepsHistory
    self.comparesWays = comparesWays
    store = ChainStore(path: Sample.temporaryPath())
    stored = ChangedVersion(draft: ModelDraft(ChainModel.entities), rows: PlainRows())
    next = stored
    model = try stored.draft.model()
    known = [model.entityVersionHashesByName]
    try store.open(model).close()
    if keepsHistory { try ChainHistory.begin(in: store.path) }
  }

  /// What a run of the steps finds wrong first, with the number of steps it took.
  static func firstFailure(
    _ steps: [ChangeStep], keepsHistory: Bool, comparesWays: Bool = false,
    _ note: (ChainRun) -> Void = { _ in }
  ) -> (step: Int, text: String)? {
    do {
      let run = try ChainRun(keepsHistory: keepsHistory, comparesWays: comparesWays)
      defer { note(run) }
      for (index, step) in (steps + [ChangeStep(.migrate), ChangeStep(.fill)]).enumerated() {
        do { try run.perform(step) } catch {
          let words = run.next.words.isEmpty ? run.stored.words : run.next.words
          run.failures.append("\(step) threw \(error)\n\(words.joined(separator: "\n"))")
        }
        if let failure = run.failures.first { return (index, failure) }
      }
      return nil
    } catch {
      return (0, "\(error)")
    }
  }

  private func perform(_ step: ChangeStep) throws {
    switch step.kind {
    case .migrate: try migrate(withCode: step.numbers[1] % 3 == 0 ? step.numbers[2] : nil)
    case .fill, .thin:
      try migrate(withCode: nil)
      try jump()
      try fill(step)
    default:
      guard next.apply(step) else { return }
      pending.append(step.kind)
      let moves: [ChangeStep.Kind] = [.moveEntity, .insertParent]
      movesKeys = movesKeys || moves.contains(step.kind)
    }
  }

  private func fail(_ text: String) {
    failures.append("\(text)\n  after: \(next.words.joined(separator: "\n         "))")
  }

  // MARK: - Steps

  private func fill(_ step: ChangeStep) throws {
    let opened = try store.open(model)
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
    let again = try store.open(model)
    for text in stored.rows.differences(from: try ChainStore.rows(again)).prefix(5) {
      fail("opened again, \(text)")
    }
    try again.close()
    (stored.dependent, stored.needsEachVersion) = ([], false)
    next = stored
    held = (try store.copy(), [model])
  }

  /// With a number, code for rows sets values during the migration, which the number chooses.
  private func migrate(withCode code: Int?) throws {
    guard !next.words.isEmpty else { return }
    next.checkRules()
    if known.contains(try next.draft.model().entityVersionHashesByName) {
      // Names that are exchanged, or an index, are no reason to migrate, unless the model says so. A model that is
      // like an earlier version is taken for it.
      next.draft.setHashModifier()
    }
    let newer = try next.draft.model()
    known.insert(newer.entityVersionHashesByName)
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: url, to: newer, options: .losing)
    if !next.problems.isEmpty { return try expectRefusal(newer, forecast) }
    if !forecast.problems.isEmpty { fail("the forecast has problems: \(forecast)") }
    let former = try store.open(model)
    let keys = try ChainStore.keys(former)
    // Links without inverse may lead to objects that are deleted.
    let isSound = try former.integrityProblems().isEmpty
    try former.close()
    let history = try keepsHistory ? ChainHistory(of: store.path, model) : nil
    let throughObjects = try rowsThroughObjects(newer)
    if let throughObjects { compare(throughObjects, next, "through objects, ") }
    if comparesWays { try compareWays(newer, isSound: isSound) }
    if let code { try runRowWork(code, newer) }
    let opened = try store.open(newer)
    migrations += 1
    compare(try ChainStore.rows(opened), next, "")
    if isSound { for text in try opened.integrityProblems().prefix(5) { fail(text) } }
    let now = try ChainStore.keys(opened)
    if !movesKeys, next.rows.rows.keys.contains(where: { keys[$0] != now[$0] }) {
      fail("keys are others")
    }
    let rows = try ChainStore.rows(opened)
    try opened.close()
    try compareSchema(newer)
    if let history { try compare(history, newer) }
    next.rows = rows
    next.seal()
    (stored, model, movesKeys) = (next, newer, false)
    for kind in pending { changes[kind, default: 0] += 1 }
    pending = []
    // The other way has no code.
    if code == nil { held?.versions.append(newer) } else { held = nil }
  }

  /// Takes copies of the store to the next version by a plan, once with a stage whose code does nothing, once by rows that
  /// stay as they are, and once by a mapping model. Each comes to what the inferred change comes to.
  private func compareWays(_ newer: ManagedObjectModel, isSound: Bool) throws {
    let mapping = MappingModel.inferred(from: model, to: newer)
    let root = newer.shapes.first { $0.superNumber == 0 }
    let ways: [(name: String, stage: MigrationStage)] = [
      ("by a stage, ", .custom(from: model, to: newer) { _ in }),
      ("by rows, ", .rows(from: model, to: newer, root.map { [RowWork($0.name) { _ in }] } ?? [])),
      ("by a mapping model, ", .mapping(from: model, to: newer, mapping)),
    ]
    for way in ways {
      let copy = try store.copy()
      defer { copy.remove() }
      var options = SQLiteStoreOptions.losing
      options.migrationPlan = MigrationPlan([way.stage])
      let opened = try SQLiteStore(path: copy.path, model: newer, options: options)
      compare(try ChainStore.rows(opened), next, way.name)
      if isSound { for text in try opened.integrityProblems().prefix(5) { fail(way.name + text) } }
      try opened.close()
      self.ways += 1
    }
  }

  private func runRowWork(_ number: Int, _ newer: ManagedObjectModel) throws {
    rowWorks += 1
    let work = ChainRowWork(number, from: model, stored.rows, to: newer, next.rows)
    _ = try SQLiteStore.migrate(
      storeAt: url, to: newer, options: .losing, rowWork: work.rowWork)
    for text in work.mistakes.prefix(5) { fail(text) }
    next.rows = work.rows
  }

  private func expectRefusal(_ newer: ManagedObjectModel, _ forecast: MigrationForecast) throws {
    refusals += 1
    do throws(StoreError) {
      try SQLiteStore.migrate(storeAt: url, to: newer, options: .losing)
      fail("no refusal, where \(next.problems) was expected")
    } catch {
      guard case .cannotMigrate(let problems) = error.code else { throw error }
      let kinds = Set(problems.map(\.kind))
      if kinds.isEmpty || !kinds.isSubset(of: next.problems) {
        fail("refused for \(problems), where \(next.problems) was expected")
      }
      if Set(forecast.problems) != Set(problems) {
        fail("foretold: \(forecast.problems), said: \(problems)")
      }
    }
    let opened = try store.open(model)
    for text in stored.rows.differences(from: try ChainStore.rows(opened)).prefix(5) {
      fail("after a refusal, \(text)")
    }
    try opened.close()
    (next, movesKeys, pending) = (stored, false, [])
  }

  /// Takes the store that was set aside to the present version at once.
  private func jump() throws {
    guard let held, held.versions.count > 2, !stored.needsEachVersion else { return }
    jumps += 1
    let opened = try held.store.open(model, through: Array(held.versions.dropLast()))
    let found = without(stored.dependent, try ChainStore.rows(opened))
    let expected = without(stored.dependent, stored.rows)
    for text in expected.differences(from: found).prefix(5) {
      fail("\(held.versions.count - 1) versions at once, \(text)")
    }
    try opened.close()
  }

  private func without(_ names: Set<String>, _ rows: PlainRows) -> PlainRows {
    var rows = rows
    for number in rows.rows.keys {
      for name in names {
        rows.rows[number]?.values[name] = nil
        rows.rows[number]?.links[name] = nil
      }
    }
    return rows
  }

  // MARK: - Checks

  private var url: URL { URL(fileURLWithPath: store.path) }

  private func compare(_ rows: PlainRows, _ version: ChangedVersion, _ way: String) {
    var (expected, found) = (version.rows, rows)
    expected.computeCounts(version.draft)
    for name in version.unordered {
      expected.sortLinks(name)
      found.sortLinks(name)
    }
    for text in expected.differences(from: found).prefix(5) { fail(way + text) }
  }

  /// Nil in chains that keep a history, which a store in memory does not have.
  private func rowsThroughObjects(_ newer: ManagedObjectModel) throws -> PlainRows? {
    guard !keepsHistory else { return nil }
    let opened = try store.open(model)
    defer { try? opened.close() }  // because the store was only read
    return try ObjectMigration.rows(of: opened, from: model, to: newer)
  }

  private func compare(_ former: ChainHistory, _ model: ManagedObjectModel) throws {
    var expected = former.renamed(by: next.draft)
    var found = try ChainHistory(of: store.path, model).changes
    if movesKeys {
      (expected, found) = (ChainHistory.withoutKeys(expected), ChainHistory.withoutKeys(found))
    }
    if expected.count != found.count {
      fail("the history has \(found.count) changes, not \(expected.count)")
    }
    for (one, other) in zip(expected, found) where one != other {
      return fail("history: \(other), not \(one)")
    }
  }

  /// The schema is that of a fresh file, but for the order of columns.
  private func compareSchema(_ model: ManagedObjectModel) throws {
    let fresh = Sample.temporaryPath()
    try SQLiteStore(path: fresh, model: model).close()
    let differences = try FileSchema(fresh).differences(in: FileSchema(store.path))
    let known = ["another order of columns", "objects: another order", "joins: another order"]
    for text in differences
    where !known.contains(where: text.hasSuffix) && !text.contains("SporadesModelLineage") {
      fail("schema: \(text)")
    }
  }
}

extension PlainRows {
  /// Gives the attributes that count the members of a relationship their values.
  mutating func computeCounts(_ draft: ModelDraft) {
    for (number, row) in rows {
      for attribute in draft.lineage(row.entity).flatMap(\.attributes) {
        guard let text = attribute.derivationExpression else { continue }
        let count = row.links[String(text.dropLast(7))]?.count ?? 0
        rows[number]?.values[attribute.name] = .whole(Int64(count))
      }
    }
  }
}

/// The model that every chain begins with.
enum ChainModel {
  static var entities: [EntityDescription] {
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    let person = EntityDescription(
      "Person",
      attributes: [
        ChangedVersion.serial, AttributeDescription("age", .integer32, isOptional: true), photo,
        AttributeDescription("name", .string, defaultValue: "nobody"),
      ],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true),
        .toMany("tags", "Tag", inverse: "persons", isOrdered: true),
        .toMany("friends", "Person", inverse: "friends"), .toOne("best", "Person"),
      ])
    let employee = EntityDescription(
      "Employee", attributes: [AttributeDescription("salary", .decimal, isOptional: true)],
      superentityName: "Person")
    let pet = EntityDescription(
      "Pet",
      attributes: [
        ChangedVersion.serial, AttributeDescription("born", .date, isOptional: true),
        AttributeDescription("kind", .string, isOptional: true),
      ], relationships: [.toOne("owner", "Person", inverse: "pets")],
      indexes: [FetchIndexDescription("byKind", on: "kind")])
    let tag = EntityDescription(
      "Tag",
      attributes: [
        ChangedVersion.serial, AttributeDescription("weight", .double, isOptional: true),
      ],
      relationships: [
        .toMany("persons", "Person", inverse: "tags"), .toMany("things", "Pet"),
      ])
    return [person, employee, pet, tag]
  }
}
