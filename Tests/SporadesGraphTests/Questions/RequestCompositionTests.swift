// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// What the tests of QueryKit, a library of typed queries for Core Data, ask of five people, in our words.
@Suite struct RequestCompositionTests {
  private typealias People = TypedRequest<Worker>

  /// Five people, of whom Kyle alone has a ticket. Their number is the length of their name.
  private func open(
    _ kind: StoreKind, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    for isSaved in [true, false] {
      let store = try kind.store(Workshop.model)
      try DataStack(store: store, classes: Workshop.classes).newContext().performAndWait {
        context in
        for name in ["Kyle", "Orta", "Ayaka", "Mark", "Scott"] {
          let person = Worker.create(in: context)
          (person.name, person.value) = (name, name.utf8.count)
          guard name == "Kyle" else { continue }
          let ticket = Ticket.create(in: context)
          (ticket.title, ticket.isActive) = ("Cocode", false)
          ticket.owner = person
        }
        Ticket.create(in: context).note = "nobody's"
        if isSaved { try context.save() }
        try body(context)
      }
    }
  }

  private func names(_ request: People, _ context: ManagedObjectContext) throws -> [String] {
    try request.sorted(by: \.name).fetch(in: context).map(\.name)
  }

  // MARK: - Requests are values

  @Test func requestsWithTheSameWordsAreEqual() {
    #expect(Worker.request == Worker.request)
    #expect(Worker.sorted(by: \.name) == Worker.sorted(by: .ascending(\.name)))
    #expect(Worker.sorted(by: \.name) == Worker.sorted(by: "name"))
    #expect(Worker.where(\.value > 4) != Worker.where(\.value > 5))
    #expect(
      Worker.sorted(by: \.name, \.value).reversed()
        == Worker.sorted(by: .descending(\.name), .descending(\.value)))
  }

  @Test func aRequestBecomesOneOfCoreData() throws {
    try open(.memory) { context throws in
      let typed = Worker.where("name == %@", "Kyle").sorted(by: \.name).offset(2).limit(2)
      let request = try typed.fetchRequest(in: context)
      #expect(request.entityName == "Worker")
      #expect(try request.predicate == FetchPredicate(format: "name == 'Kyle'"))
      #expect(request.sortTerms == [SortTerm("name")])
      #expect((request.fetchOffset, request.fetchLimit) == (2, 2))
    }
  }

  // MARK: - Conditions

  @Test func typedConditionsAreThoseOfTheLanguage() throws {
    let cases: [(TypedPredicate<Ticket>, String)] = [
      (\.number == 10, "number == 10"), (\.number != 10, "number != 10"),
      (\.number > 10, "number > 10"), (\.number >= 10, "number >= 10"),
      (\.number < 10, "number < 10"), (\.number <= 10, "number <= 10"),
      (\.number ~= [5, 10], "number IN {5, 10}"),
      (\.number ~= 5...10, "number BETWEEN {5, 10}"),
      (\.note == nil, "note == nil"), (\.note != nil, "note != nil"),
      (\.note == "kyle", "note == 'kyle'"), (\.note != "kyle", "note != 'kyle'"),
      ((\Ticket.title).isLike("k*"), "title LIKE 'k*'"),
      (\.owner!.name == "Cocode", "owner.name == 'Cocode'"),
      (\.steps.count > 1, "steps.@count > 1"), (\.watchers.count == 0, "watchers.@count == 0"),
      (!(\.title == "Kyle"), "NOT title == 'Kyle'"),
      (\.title == "Kyle" && \.number > 27, "title == 'Kyle' AND number > 27"),
      (!(\.title == "Kyle" && \.number > 27), "NOT (title == 'Kyle' AND number > 27)"),
    ]
    for (typed, format) in cases {
      #expect(try typed.predicate == FetchPredicate(format: format), "\(typed.predicate)")
    }
  }

  /// The library took a half-open range for BETWEEN, with its upper bound. Swift's range excludes it.
  @Test(arguments: StoreKind.allCases)
  func aHalfOpenRangeExcludesItsEnd(in kind: StoreKind) throws {
    try open(kind) { context throws in
      #expect(try names(Worker.where(\.value ~= 4..<5), context) == ["Kyle", "Mark", "Orta"])
      #expect(try Worker.where(\.value ~= 4...5).count(in: context) == 5)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func conditionsAddUpAndAreTurnedRound(in kind: StoreKind) throws {
    try open(kind) { context throws in
      let short = Worker.where(\.value == 4)
      #expect(try names(short, context) == ["Kyle", "Mark", "Orta"])
      #expect(try names(short.where(\.name == "Kyle"), context) == ["Kyle"])
      #expect(try names(Worker.where(!(\.name == "Kyle")), context).contains("Kyle") == false)
      #expect(try names(Worker.where(!(\.name == "Kyle" && \.value > 27)), context).count == 5)
      let owned = Ticket.where(\.owner!.name == "Kyle")
      #expect(try owned.fetch(in: context).map(\.title) == ["Cocode"])
      // A ticket without an owner has another one than Kyle.
      #expect(try Ticket.where(!(\.owner!.name == "Kyle")).count(in: context) == 1)
      #expect(try Ticket.where(\.isActive).fetch(in: context).map(\.note) == ["nobody's"])
      #expect(try Ticket.where(!\.isActive).fetch(in: context).map(\.title) == ["Cocode"])
    }
  }

  // MARK: - Orders and bounds

  @Test(arguments: StoreKind.allCases)
  func placesOfAnOrderAreFetched(in kind: StoreKind) throws {
    try open(kind) { context throws in
      let ordered = Worker.sorted(by: \.name)
      let all = ["Ayaka", "Kyle", "Mark", "Orta", "Scott"]
      for (place, name) in all.enumerated() {
        #expect(try ordered.offset(place).first(in: context)?.name == name)
      }
      #expect(try ordered.offset(5).first(in: context) == nil)
      #expect(try ordered.reversed().first(in: context)?.name == "Scott")
      #expect(try ordered.reversed().fetch(in: context).map(\.name) == all.reversed())
      #expect(
        try Worker.sorted(by: \.value, \.name).reversed().fetch(in: context).map(\.name)
          == ["Scott", "Ayaka", "Orta", "Mark", "Kyle"])
      var visited: [String] = []
      for person in try ordered.fetch(in: context) { visited.append(person.name) }
      #expect(visited == all)
    }
  }

  /// A range of a range was counted from the first one there. Here the last bounds hold, so that a caller can set
  /// those of a scope.
  @Test(arguments: StoreKind.allCases)
  func theLastBoundsHold(in kind: StoreKind) throws {
    try open(kind) { context throws in
      let some = Worker.sorted(by: \.name).offset(1).limit(2)
      #expect(try some.fetch(in: context).map(\.name) == ["Kyle", "Mark"])
      #expect(try some.count(in: context) == 2)
      #expect(try some.offset(3).limit(5).fetch(in: context).map(\.name) == ["Orta", "Scott"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsExistAndAreDeleted(in kind: StoreKind) throws {
    try open(kind) { context throws in
      #expect(try Worker.where("name == %@", "Kyle").exists(in: context))
      #expect(try !Worker.where("name == %@", "None").exists(in: context))
      let ordered = Worker.sorted(by: \.name)
      #expect(try ordered.limit(2).delete(in: context) == 2)
      #expect(try ordered.count(in: context) == 3)
      #expect(try ordered.first(in: context)?.name == "Mark")
    }
  }
}
