// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Random predicates, asked of SQLite and of contexts with unsaved changes, and compared with what the evaluator says of
/// each object.
///
/// A failure prints its seed. `SPORADES_MINUTES` goes on for that long, and `SPORADES_FIRST_SEED` chooses other
/// predicates.
@Suite struct RandomQuestionTests {
  private static let first = number("SPORADES_FIRST_SEED") ?? 1
  private static let duration = Duration.seconds(60 * (number("SPORADES_MINUTES") ?? 0))
  private static let roundsOfRun = 6
  private static let predicatesOfRound = 60

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test func storesAndContextsSayWhatTheEvaluatorSays() throws {
    let end = ContinuousClock.now + Self.duration
    var (rounds, questions, found) = (0, 0, 0)
    while rounds < Self.roundsOfRun || ContinuousClock.now < end {
      let round = QuestionRound(seed: UInt64(Self.first + rounds))
      try round.run(Self.predicatesOfRound)
      (rounds, questions, found) = (
        rounds + 1, questions + round.questions, found + round.found
      )
      if !round.mistakes.isEmpty {
        Issue.record("\(round.mistakes.prefix(3).joined(separator: "\n"))")
        break
      }
    }
    print("\(rounds) rounds, \(questions) questions, \(found) objects found")
    #expect(found > questions)
  }
}

/// One library with unsaved changes, and many questions about it.
private final class QuestionRound {
  private let seed: UInt64
  private var random: SeededGenerator
  private(set) var questions = 0
  private(set) var found = 0
  private(set) var mistakes: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  func run(_ count: Int) throws {
    let store = try SQLiteStore(inMemory: SampleLibrary.model)
    try store.execute(SampleLibrary.rows(seed: seed))
    try store.commit(.eventual)
    let stack = DataStack(store: store)
    let (outer, inner) = (stack.newContext(), stack.newContext())
    try outer.performAndWait { context in
      try ask(count / 3, of: context, "stored")
      try change(context)
      try ask(count / 3, of: context, "unsaved")
      try context.save()
    }
    try inner.performAndWait { try ask(count / 3, of: $0, "saved") }
    try store.close()
  }

  private func ask(_ count: Int, of context: ManagedObjectContext, _ state: String) throws {
    for number in 0..<count {
      let shapes = SampleLibrary.model.shapes
      let shape = shapes[(number + Int(seed)) % shapes.count]
      var generator = PredicateGenerator(
        shape, SampleLibrary.model, seed: seed * 1_000 + UInt64(number))
      let predicate = generator.next()
      let all = try context.fetch(FetchRequest(shape.name))
      let expected = try all.filter { try predicate.evaluate(with: $0) }
      let answer = try context.fetch(FetchRequest(shape.name, where: predicate))
      let counted = try context.count(FetchRequest(shape.name, where: predicate))
      questions += 1
      found += answer.count
      let ids = (Set(answer.map(\.objectID)), Set(expected.map(\.objectID)))
      if ids.0 != ids.1 || counted != expected.count || answer.count != expected.count {
        mistakes.append(
          "seed \(seed), \(state) \(shape.name) \(number): found \(answer.count), expected "
            + "\(expected.count): \(predicate)")
      }
    }
  }

  // MARK: - Changes

  private func change(_ context: ManagedObjectContext) throws {
    let books = try context.fetch(FetchRequest("Book"))
    let authors = try context.fetch(FetchRequest("Author"))
    let shelves = try context.fetch(FetchRequest("Shelf"))
    let categories = try context.fetch(FetchRequest("Category"))
    for book in books where random.once(in: 3) {
      book.setValue(random.pick(["a", "Émile", "ab", "Z"]), forKey: "title")
      book.setValue(random.pick([nil, 1, 3]), forKey: "pageCount")
      book.setValue(
        random.once(in: 2) ? nil : Date(timeIntervalSinceReferenceDate: 0.5), forKey: "published")
    }
    for book in books where random.once(in: 3) {
      book.setObject(random.once(in: 3) ? nil : random.pick(authors), forKey: "author")
      book.setObject(random.pick(shelves), forKey: "shelf")
      book.setObjects(categories.filter { _ in random.once(in: 3) }, forKey: "categories")
    }
    for author in authors where random.once(in: 3) {
      author.setObjects(
        books.filter { _ in random.once(in: 6) }.shuffled(using: &random), forKey: "favourites")
    }
    let novel = try context.insert(entityNamed: "Novel")
    novel.setValue("new", forKey: "title")
    novel.setObject(random.pick(authors), forKey: "author")
    let victim = random.pick(authors)
    if random.once(in: 2) { context.delete(victim) }
  }
}
