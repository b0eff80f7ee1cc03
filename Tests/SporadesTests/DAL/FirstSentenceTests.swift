// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Mistakes whose first sentence names the remedy, and values that print as one would write them.
@Suite struct FirstSentenceTests {
  struct Colour: Codable, Equatable { var red = 0 }
  @Composite struct Address { var street: String = "" }
  @Entity final class Poet: ManagedObject {
    var name: String = ""
    var home: Address = Address()
    @Transient var mood: String?
    @Relationship(inverse: \Poem.poet) var poems: Set<Poem>
  }
  @Entity final class Poem: ManagedObject {
    var title: String = ""
    var lines: Int = 0
    var colour: Colour = Colour()
    var poet: Poet?
  }
  private static let entities: [ManagedObject.Type] = [Poet.self, Poem.self]

  private func refusal(_ entity: String, _ format: String? = nil, by order: [SortTerm] = [])
    throws -> String
  {
    let stack = try DataStack(inMemory: Self.entities)
    return try stack.newContext().performAndWait { context in
      let predicate = try format.map { try FetchPredicate(format: $0) }
      let error = #expect(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest(entity, where: predicate, sortedBy: order))
      }
      return "\(error as Any)"
    }
  }

  @Test(arguments: [
    ("Poem", "id == 1", "Compare SELF with it or its objectID"),
    ("Poem", "poet.home.stret == 'x'", "has no member stret. The nearest name is street."),
    ("Poem", "colour == 'x'", "colour is stored as an encoding, in which no store searches"),
    ("Poem", "colour.red == 1", "Make its type a @Composite"),
  ])
  func aConditionLeadsToTheName(entity: String, format: String, sentence: String) throws {
    let text = try refusal(entity, format)
    #expect(text.contains(sentence), "\(text)")
  }

  @Test(arguments: [
    ("Poem", SortTerm("colour"), "colour is stored as an encoding"),
    ("Poem", SortTerm("lower(title)"), "A computed value is an expression"),
    ("Poet", SortTerm("poems.title"), "Write poems.@min.title for the first of them"),
    ("Poet", SortTerm("poems"), "Write poems.@count for the number of objects"),
  ])
  func anOrderLeadsToTheName(entity: String, term: SortTerm, sentence: String) throws {
    let text = try refusal(entity, by: [term])
    #expect(text.contains(sentence), "\(text)")
  }

  @Test func aMemberOfAnEncodingIsNamed() throws {
    let stack = try DataStack(inMemory: Self.entities)
    stack.newContext().performAndWait { context in
      let error = #expect(throws: FetchPredicateError.self) {
        try Poem.all(where: #Predicate { $0.colour.red == 1 }, in: context)
      }
      #expect("\(error as Any)".contains("Mark the struct @Composite"), "\(error as Any)")
    }
  }

  @Test(arguments: ["poem", "name"])
  func aRelationshipThatNobodyHasIsNamed(name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name] in
      let stack = try DataStack(inMemory: [Poet.self, Poem.self])
      stack.newContext().performAndWait { context in
        _ = Poet.create(in: context).count(forRelationshipNamed: name)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let sentence =
      name == "poem"
      ? "Poet has no relationship poem. The nearest name is poems."
      : "Poet.name is no relationship, so it leads to no objects. The relationships of Poet are poems."
    #expect(text.contains(sentence), "\(text)")
  }

  // MARK: - Models

  @Entity final class Bounded: ManagedObject { @Attribute(.length(1...5)) var size: Int = 1 }
  @Entity final class Moody: ManagedObject {
    var poet: Poet?
    @Derived("poet.mood") var mood: String?
  }
  @Entity final class Listed: ManagedObject {
    @Relationship(inverse: nil) var poems: Set<Poem>
    @Derived("poems.title") var title: String?
  }

  private static let mistaken: [(classes: [ManagedObject.Type], sentence: String)] = [
    ([Bounded.self], "Bound the value with .range(1...5)"),
    ([Moody.self, Poet.self, Poem.self], "poet.mood, which is transient, so no store keeps it"),
    ([Listed.self, Poet.self, Poem.self], "leads to many objects; derive @count or @sum of them"),
  ]

  @Test(arguments: mistaken.indices)
  func aModelNamesTheRemedy(place: Int) {
    let (classes, sentence) = Self.mistaken[place]
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(classes) }
    #expect("\(error as Any)".contains(sentence), "\(error as Any)")
  }

  // MARK: - Files

  @Test func aCopyOntoItselfOrIntoAFolderIsNamed() throws {
    let folder = try TemporaryFolder()
    let service = RecordingService.at(folder.file("a.sqlite"))
    func refusal(_ url: URL, _ replacing: Bool) -> String {
      let error = #expect(throws: DALError.self) { try service.copy(to: url, replacing: replacing) }
      return "\(error as Any)"
    }
    for replacing in [false, true] {
      let own = refusal(folder.file("a.sqlite"), replacing)
      #expect(own.contains("is the store itself. Choose another path"), "\(own)")
      let into = refusal(folder.file("a.sqlite").deletingLastPathComponent(), replacing)
      #expect(into.contains("is a folder. Name a file in it"), "\(into)")
    }
    try service.copy(to: folder.file("b.sqlite"))
    #expect(refusal(folder.file("b.sqlite"), false).contains("replacing: true"))
    try service.close()
  }

  @Test func aFileThatACoordinatorHasAlreadyIsNamed() throws {
    let folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Self.entities))
    let url = folder.file("a.sqlite")
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let error = #expect(throws: StoreError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: url)
    }
    #expect("\(error as Any)".contains("a.sqlite already. Add each file once."), "\(error as Any)")
  }

  // MARK: - Printing

  @Test func requestsPrintAsSentences() throws {
    let request = Poem.where(\.lines > 3).sorted(by: .descending(\.title)).limit(10).offset(2)
    #expect("\(request)" == "Poem where lines > 3, sorted by title desc, limit 10, offset 2")
    var fetch = FetchRequest("Poem", sortedBy: try SortTerm.parse("title[cd]:NO nils last"))
    fetch.propertiesToFetch = ["title", ExpressionDescription("longest", .max(of: "lines"))]
    fetch.propertiesToGroupBy = ["title"]
    fetch.includesSubentities = false
    #expect(
      "\(fetch)"
        == "Poem, sorted by title[cd] desc nils last, fetching title, max:(lines) as longest, "
        + "grouped by title, without subentities")
    let model = try ManagedObjectModel(Self.entities)
    #expect("\(model)" == "model of Poet, Poem")
  }

  @Test func resultsPrintAsTheirValues() throws {
    let stack = try DataStack(inMemory: Self.entities)
    try stack.newContext().performAndWait { context in
      for title in ["a", "b"] { Poem.create(in: context).title = title }
      try context.save()
      var request = FetchRequest("Poem", sortedBy: [SortTerm("title")])
      request.propertiesToFetch = ["title", "lines"]
      let rows = try context.fetchDictionaries(request)
      #expect("\(rows)" == "\(Array(rows))" && "\(rows)".hasPrefix("[["), "\(rows)")
      let batches = try context.fetchInBatches(Poem.self, FetchRequest("Poem"))
      #expect("\(batches)" == "2 objects of Poem, in batches")
    }
  }
}
