// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesFoundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Random questions have one answer over several stores and over a single one with the same objects, before changes, with
/// unsaved changes in two contexts, and after their save.
///
/// A failure prints its seed. `SPORADES_MINUTES` goes on for that long, and `SPORADES_FIRST_SEED` chooses other questions.
@Suite struct SeveralStoresQuestionTests {
  init() { TextCollation.useFoundation() }

  enum Kind: String, Sendable { case memory, file }

  private static let first = number("SPORADES_FIRST_SEED") ?? 1
  /// The kinds of stores share the time.
  private static let duration = Duration.seconds(
    60 * (number("SPORADES_MINUTES") ?? 0) / mixes.count)
  private static let roundsOfRun = 2
  private static let mixes: [[Kind]] = [
    [.memory, .file], [.file, .file], [.file, .memory, .file],
  ]

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test(arguments: mixes)
  func severalStoresAnswerLikeOne(_ kinds: [Kind]) throws {
    let end = ContinuousClock.now + Self.duration
    var (rounds, questions, found) = (0, 0, 0)
    while rounds < Self.roundsOfRun || ContinuousClock.now < end {
      let round = try SeveralStoresRound(seed: UInt64(Self.first + rounds), kinds)
      try round.run()
      (rounds, questions, found) = (
        rounds + 1, questions + round.questions, found + round.found
      )
      if !round.mistakes.isEmpty {
        Issue.record("\(round.mistakes.prefix(3).joined(separator: "\n"))")
        break
      }
    }
    print("\(rounds) rounds, \(questions) questions, \(found) rows found")
    #expect(found > questions)
  }
}

/// Libraries in several stores, and the same libraries in one store.
private final class SeveralStoresRound {
  private let seed: UInt64
  private let stores: [any PersistentStore]
  private let several: DataStack
  private let one: DataStack
  private(set) var questions = 0
  private(set) var found = 0
  private(set) var mistakes: [String] = []

  init(seed: UInt64, _ kinds: [SeveralStoresQuestionTests.Kind]) throws {
    self.seed = seed
    let model = SampleLibrary.model
    let single = MemoryStore(model: model)
    let coordinator = PersistentStoreCoordinator(model: model)
    stores = try kinds.enumerated().map { number, kind in
      let rows = SampleLibrary.rows(
        seed: seed * 10 + UInt64(number), behind: Int64(number) * Self.distance)
      let store: any PersistentStore =
        switch kind {
        case .memory: MemoryStore(model: model)
        case .file: try SQLiteStore(inMemory: model)
        }
      for store in [single, store] as [any PersistentStore] {
        try store.execute(rows)
        try store.commit(.eventual)
      }
      try coordinator.addPersistentStore(store)
      return store
    }
    several = DataStack(store: coordinator)
    one = DataStack(store: single)
  }

  /// The distance between the primary keys of two libraries.
  private static let distance: Int64 = 1_000

  func run() throws {
    let chains = [several, one].map { stack in
      let outer = stack.newContext()
      return [outer, stack.newChild(of: outer)]
    }
    try ask(40, of: chains.map { $0[1] }, "stored")
    for depth in 0..<2 {
      try chains[0][depth].performAndWait { try change($0, depth, in: stores) }
      try chains[1][depth].performAndWait { try change($0, depth, in: nil) }
    }
    try ask(80, of: chains.map { $0[1] }, "unsaved")
    for chain in chains {
      for queue in chain.reversed() { try queue.performAndWait { try $0.save() } }
    }
    try ask(40, of: [several, one].map { $0.newContext() }, "saved")
    for stack in [several, one] { try stack.store.close() }
  }

  // MARK: - Questions

  private func ask(_ count: Int, of queues: [ContextQueue], _ state: String) throws {
    for number in 0..<count {
      let requests = Self.requests(seed * 1_000 + UInt64(number))
      for request in requests {
        let answers = queues.map { queue in
          queue.performAndWait { context in
            do { return try Self.answer(request, context) } catch { return ["refused: \(error)"] }
          }
        }
        questions += 1
        found += answers[1].count
        guard answers[0] != answers[1] else { continue }
        mistakes.append(
          "seed \(seed), \(state) \(number): \(request)\nseveral: \(answers[0])\none:     \(answers[1])"
        )
      }
    }
  }

  /// A request for objects, and one for dictionaries where the question can be asked so.
  private static func requests(_ seed: UInt64) -> [FetchRequest] {
    let shapes = SampleLibrary.model.shapes
    let entity = shapes[Int(seed % UInt64(shapes.count))]
    var generator = QuestionGenerator(entity, SampleLibrary.model, seed: seed)
    let question = generator.next()
    let fetch = question.fetch
    let objects = FetchRequest(
      entity.name, where: fetch.predicate, sortedBy: fetch.sortTerms, limit: fetch.limit,
      offset: fetch.offset)
    var requests = [objects]
    if !fetch.sortTerms.isEmpty {
      var order = objects
      order.propertiesToFetch = fetch.sortTerms.enumerated().map {
        ExpressionDescription("s\($0)", $1.expression)
      }
      requests.append(order)
    }
    let isOfGroups = question.isOfGroups(SampleLibrary.model)
    guard !isOfGroups || fetch.limit == nil && fetch.offset == 0 else { return requests }
    var request = FetchRequest(
      entity.name, where: fetch.predicate,
      sortedBy: isOfGroups ? question.sortTerms : fetch.sortTerms,
      limit: isOfGroups ? question.limit : fetch.limit,
      offset: isOfGroups ? question.offset : fetch.offset)
    request.propertiesToFetch = question.columns.enumerated().map {
      ExpressionDescription("c\($0)", $1)
    }
    request.propertiesToGroupBy = question.groups.enumerated().map {
      ExpressionDescription("g\($0)", $1)
    }
    request.havingPredicate = question.having
    request.returnsDistinctResults = question.isDistinct
    requests.append(request)
    return requests
  }

  /// What of an answer does not depend on the order of equal rows, as texts that name no store. Several stores and one
  /// order equal rows differently.
  private static func answer(
    _ request: FetchRequest, _ context: ManagedObjectContext
  ) throws -> [String] {
    let isBounded = request.fetchLimit != nil || request.fetchOffset > 0
    guard request.propertiesToFetch.isEmpty else {
      let rows = try Array(context.fetchDictionaries(request)).map(\.dictionary)
      let order = rows.map { line($0, only: orderedColumns(request)) }
      return order + (isBounded ? [] : rows.map { line($0, only: nil) }.sorted())
    }
    let objects = try context.fetch(request).map { text(.objectID($0.objectID)) }
    let ids = try context.fetchIDs(request).map { text(.objectID($0)) }
    let counts = "count \(try context.count(request)), \(objects.count), \(ids == objects)"
    return [counts] + (isBounded ? [] : objects.sorted())
  }

  /// The columns by which the rows are ordered. Behind a term that takes different texts for equal, the order is open.
  private static func orderedColumns(_ request: FetchRequest) -> [String] {
    var names: [String] = []
    for term in request.sortTerms {
      let column = request.propertiesToFetch.first { $0.expression == term.expression }
      guard let column, term.options.isEmpty, term.collation == nil else { break }
      names.append(column.name)
    }
    return names
  }

  private static func line(_ row: [String: Value], only names: [String]?) -> String {
    (names ?? row.keys.sorted()).map { "\($0) \(text(row[$0] ?? .null))" }.joined(separator: ", ")
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .objectID(let id): return "\(id.entityName)/\(id.key.primaryKey)"
    default: return "\(value)"
    }
  }

  // MARK: - Changes

  /// The same changes in several stores and in one. New objects go to the last store, so that their keys are the largest.
  private func change(
    _ context: ManagedObjectContext, _ depth: Int, in stores: [any PersistentStore]?
  ) throws {
    var random = SeededGenerator(seed: seed * 2 + UInt64(depth))
    func all(_ name: String) throws -> [ManagedObject] {
      try context.fetch(FetchRequest(name)).sorted { $0.objectID.key < $1.objectID.key }
    }
    func library(_ object: ManagedObject) -> Int64 {
      object.objectID.key.primaryKey / Self.distance
    }
    let (authors, shelves) = (try all("Author"), try all("Shelf"))
    let books = try context.fetch(FetchRequest("Book")).sorted {
      $0.objectID.key.primaryKey < $1.objectID.key.primaryKey
    }
    for book in books where random.once(in: 3) {
      let number = library(book)
      book.setValue(random.pick(["a", "Émile", "ab", "Z"]), forKey: "title")
      book.setValue(Int.random(in: 0...3, using: &random), forKey: "copies")
      let writers = authors.filter { library($0) == number }
      book.setObject(random.once(in: 3) ? nil : random.pick(writers), forKey: "author")
      book.setObject(random.pick(shelves.filter { library($0) == number }), forKey: "shelf")
    }
    for author in authors where random.once(in: 3) {
      author.setValue(random.pick(["né 1", "né 2", "a"]), forKey: "name")
    }
    let last = try #require(authors.last)
    var new: [ManagedObject] = []
    for name in ["Novel", "Comic", "Author"] {
      let object = try context.insert(entityNamed: name)
      if let stores { try context.assign(object, to: stores[stores.count - 1]) }
      object.setValue(random.pick(["new", "ab"]), forKey: name == "Author" ? "name" : "title")
      if name != "Author" {
        object.setValue(1, forKey: "copies")
        object.setValue(false, forKey: "isRead")
        object.setObject(last, forKey: "author")
      }
      new.append(object)
    }
    try context.obtainPermanentIDs(for: new)
    for author in authors.dropLast() where random.once(in: 8) { context.delete(author) }
  }
}
