// SPDX-License-Identifier: MIT
import SporadesFoundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Random questions about rows with to-one links that lead nowhere. A relationship without an inverse keeps its link when
/// the other row is deleted.
@Suite struct DanglingLinkTests {
  init() { TextCollation.useFoundation() }

  // The model is written here, so a mistake in it is a mistake of the tests.
  private static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Note",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("size", .integer32),
        AttributeDescription("score", .double, isOptional: true),
      ],
      relationships: [
        .toOne("about", "Topic"), .toOne("next", "Note"),
        .toOne("folder", "Folder", inverse: "notes"),
      ]),
    EntityDescription(
      "Topic",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("rank", .integer16),
      ],
      relationships: [.toOne("parent", "Topic")]),
    EntityDescription("Subject", superentityName: "Topic"),
    EntityDescription(
      "Folder", attributes: [AttributeDescription("label", .string)],
      relationships: [.toMany("notes", "Note", inverse: "folder"), .toOne("topic", "Topic")]),
  ])

  private struct Rows {
    var inserted: ChangeSet
    var deleted: ChangeSet
  }

  private static func rows(seed: UInt64) -> Rows {
    var random = SeededGenerator(seed: seed)
    let texts = ["a", "b", "ab", "É", "é", ""]
    func draft(
      _ entity: String, _ key: Int64, _ values: [String: Value], _ targets: [String: [RowDraft]]
    ) -> RowDraft {
      var references: [String: RowDraft] = [:]
      for (name, drafts) in targets.sorted(by: { $0.key < $1.key })
      where !drafts.isEmpty && !random.once(in: 4) { references[name] = random.pick(drafts) }
      return RowDraft(entity, key, values, to: references, of: model)
    }
    var topics: [RowDraft] = []
    for key in 1...12 {
      let name: Value = random.once(in: 4) ? .null : .string(random.pick(texts))
      topics.append(
        draft(
          random.pick(["Topic", "Subject"]), Int64(key),
          ["name": name, "rank": .integer(random.pick([0, 1, 7]))], ["parent": topics]))
    }
    let folders = (1...4).map { key in
      draft("Folder", Int64(key), ["label": .string(random.pick(texts))], ["topic": topics])
    }
    var notes: [RowDraft] = []
    for key in 1...20 {
      notes.append(
        draft(
          "Note", Int64(key),
          [
            "title": .string(random.pick(texts)), "size": .integer(random.pick([0, 1, 3, 7])),
            "score": random.once(in: 3) ? .null : .double(random.pick([0.5, 1, 2.25])),
          ], ["about": topics, "next": notes, "folder": folders]))
    }
    let lost = topics.filter { _ in random.once(in: 2) }
    let lostNotes = notes.filter { $0.references["folder"] == nil && random.once(in: 2) }
    return Rows(
      inserted: ChangeSet(inserting: topics + folders + notes),
      deleted: ChangeSet(deleting: lost + lostNotes))
  }

  private static func stores(seed: UInt64) throws -> [any PersistentStore] {
    let rows = rows(seed: seed)
    let stores: [any PersistentStore] = [
      MemoryStore(model: model), try SQLiteStore(inMemory: model),
    ]
    for store in stores {
      try store.execute(rows.inserted)
      try store.execute(rows.deleted)
      try store.commit(.eventual)
    }
    return stores
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func conditionsFindTheSameRows(seed: UInt64) throws {
    let stores = try Self.stores(seed: seed)
    var found = 0
    for number in 0..<240 {
      let entity = Self.model.shapes[number % Self.model.shapes.count]
      var generator = PredicateGenerator(
        entity, Self.model, seed: seed * 1_000 + UInt64(number))
      let predicate = generator.next()
      let fetch = StoreFetch(entity, where: predicate)
      let keys = try stores.map { try $0.keys(fetch, in: .accepted) }
      #expect(keys[0] == keys[1], "seed \(seed), \(entity.name) \(number): \(predicate)")
      found += keys[0].count
    }
    #expect(found > 240)
    for store in stores { try store.close() }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func questionsHaveTheSameAnswers(seed: UInt64) throws {
    let stores = try Self.stores(seed: seed)
    for number in 0..<240 {
      let entity = Self.model.shapes[number % Self.model.shapes.count]
      var generator = QuestionGenerator(entity, Self.model, seed: seed * 1_000 + UInt64(number))
      let question = generator.next()
      let rows = try stores.map { try $0.answer(question, in: .accepted).rows.map(Self.spelled) }
      #expect(
        rows[0] == rows[1],
        "seed \(seed), \(entity.name) \(number): \(question.columns) by \(question.groups), sorted \(question.sortTerms) and \(question.fetch.sortTerms), where \(question.fetch.predicate.map { "\($0)" } ?? "-")"
      )
    }
    for store in stores { try store.close() }
  }

  /// With unsaved changes beside it, a context answers from memory.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func contextsWithUnsavedChangesFindTheSameRows(seed: UInt64) throws {
    for store in try Self.stores(seed: seed) {
      try DataStack(store: store).newContext().performAndWait { context in
        for isUnsaved in [false, true] {
          if isUnsaved {
            for entity in ["Note", "Topic", "Folder"] {
              let objects = try context.fetch(FetchRequest(entity))
              for (place, object) in objects.enumerated() where place.isMultiple(of: 2) {
                object.setValue(place.isMultiple(of: 4) ? "a" : "é", forKey: Self.text(entity))
              }
            }
          }
          for number in 0..<120 { try compare(number, seed, isUnsaved ? nil : store, context) }
        }
      }
      try store.close()
    }
  }

  private func compare(
    _ number: Int, _ seed: UInt64, _ store: (any PersistentStore)?, _ context: ManagedObjectContext
  ) throws {
    let entity = Self.model.shapes[number % Self.model.shapes.count]
    var generator = PredicateGenerator(entity, Self.model, seed: seed * 1_000 + UInt64(number))
    let predicate = generator.next()
    let found = try context.fetch(FetchRequest(entity.name, where: predicate)).map(\.objectID.key)
    let all = try context.fetch(FetchRequest(entity.name))
    let held = try all.filter { try predicate.evaluate(with: $0) }.map(\.objectID.key)
    #expect(found == held, "seed \(seed), \(entity.name) \(number): \(predicate)")
    guard let store else { return }
    let keys = try store.keys(StoreFetch(entity, where: predicate), in: .accepted)
    #expect(found == keys, "seed \(seed), \(entity.name) \(number): \(predicate)")
  }

  private static func text(_ entity: String) -> String {
    switch entity {
    case "Note": "title"
    case "Folder": "label"
    default: "name"
    }
  }

  /// The rows with the keys of objects instead of their ids, because ids differ between stores.
  private static func spelled(_ row: [Value]) -> [Value] {
    row.map { value in
      guard case .objectID(let id) = value else { return value }
      return .list([.integer(Int64(id.key.entity)), .integer(id.key.primaryKey)])
    }
  }
}
