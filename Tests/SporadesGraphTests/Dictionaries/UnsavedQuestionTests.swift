// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesFoundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Random questions have one answer before a save and after it, at every depth.
@Suite struct UnsavedQuestionTests {
  init() { TextCollation.useFoundation() }

  @Test(arguments: StoreKind.allCases, [1, 3])
  func aSaveChangesNoAnswer(in kind: StoreKind, depth: Int) throws {
    let store = try kind.store(SampleLibrary.model)
    try store.execute(SampleLibrary.rows(seed: 5))
    try store.commit(.eventual)
    let queues = DataStack(store: store).chain(depth: depth)
    var random = SeededGenerator(seed: UInt64(depth))
    for queue in queues {
      try queue.performAndWait { context in try change(context, &random) }
    }
    let requests = (UInt64(0)..<300).compactMap(Self.request)
    let before = try queues[depth - 1].performAndWait { context in
      try requests.map { try Array(context.fetchDictionaries($0)).map(\.dictionary) }
    }
    for queue in queues.reversed() { try queue.performAndWait { try $0.save() } }
    let after = try queues[0].performAndWait { context in
      try requests.map { try Array(context.fetchDictionaries($0)).map(\.dictionary) }
    }
    for (place, request) in requests.enumerated() {
      #expect(before[place] == after[place], "\(request)")
    }
  }

  /// Changes some books and authors, deletes others, and makes new ones.
  private func change(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    for book in try context.fetch(FetchRequest("Book", sortedBy: [SortTerm("title")])) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: book.setValue(Int.random(in: 0...3, using: &random), forKey: "copies")
      case 1: book.setValue(Double.random(in: 0...3, using: &random).rounded(), forKey: "score")
      case 2: book.setValue(nil, forKey: "author")
      case 3: book.setValue(true, forKey: "isRead")
      default: break
      }
    }
    let authors = try context.fetch(FetchRequest("Author", sortedBy: [SortTerm("name")]))
    if let first = authors.first { context.delete(first) }
    for author in authors.dropFirst(2) where Bool.random(using: &random) {
      author.setValue("né \(Int.random(in: 0...2, using: &random))", forKey: "name")
    }
    for _ in 0..<2 {
      let shelf = try context.insert(entityNamed: "Shelf")
      shelf.setValue("new", forKey: "label")
      let comic = try context.insert(entityNamed: "Comic")
      comic.setValue("new \(Int.random(in: 0...1, using: &random))", forKey: "title")
      comic.setValue(1, forKey: "copies")
      comic.setValue(false, forKey: "isRead")
      comic.setValue(authors.dropFirst(1).first, forKey: "author")
      try context.obtainPermanentIDs(for: [shelf, comic])
    }
  }

  /// The request for dictionaries that asks a random question; nil for one about the first objects of an order, which
  /// no request asks.
  private static func request(_ seed: UInt64) -> FetchRequest? {
    let shapes = SampleLibrary.model.shapes
    let entity = shapes[Int(seed) % shapes.count]
    var generator = QuestionGenerator(entity, SampleLibrary.model, seed: seed)
    let question = generator.next()
    let fetch = question.fetch
    let isOfGroups = question.isOfGroups(SampleLibrary.model)
    guard !isOfGroups || fetch.limit == nil && fetch.offset == 0 else { return nil }
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
    return request
  }
}
