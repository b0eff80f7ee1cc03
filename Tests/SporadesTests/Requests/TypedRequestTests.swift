// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

extension TypedRequest<Club.Player> {
  fileprivate var young: Self { self.where(\.age < 30) }
  fileprivate var ordered: Self { sorted(by: \.age, \.name) }
  fileprivate func named(_ names: [String]) -> Self { self.where(\.name ~= names) }
}

/// The words of a request, in memory, in a file, and over changes that are not saved. Many cases are those of other
/// libraries' tests.
@Suite struct TypedRequestTests {
  private typealias Player = Club.Player

  private static let all = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"]

  private static let requests: [(String, TypedRequest<Player>, [String])] = [
    ("all", Player.request, all),
    ("where", Player.where(\.age > 25), ["Ann", "Eve"]),
    ("where twice", Player.where(\.age > 20).where(\.age < 30), ["Cid", "Dan"]),
    ("where thrice", Player.where(\.age > 20).where(\.age < 30).where(\.name == "Dan"), ["Dan"]),
    ("a truth value", Player.where(\.isActive), ["Bob", "Cid", "Dan", "Fay"]),
    ("no truth value", Player.where(!\.isActive), ["Ann", "Eve"]),
    ("a format", Player.where("age > %d AND name != %@", 25, "Eve"), ["Ann"]),
    ("a format without values", Player.where("team == nil"), ["Ann", "Eve"]),
    ("a format and key paths", Player.where("age > %d", 20).where(\.isActive), ["Cid", "Dan"]),
    ("a predicate", Player.where(FetchPredicate.equals("age", 25)), ["Cid", "Dan"]),
    ("a quote in a value", Player.where("name == %@", "' OR 1=1"), []),
    ("or", Player.where(\.age == 19).or(\.age == 41), ["Eve", "Fay"]),
    (
      "or of three", Player.where(\.age == 19).or(\.age == 41).or("age == 30"),
      ["Ann", "Eve", "Fay"]
    ),
    (
      "or a truth value", Player.where(\.age == 41).or(\.isActive),
      ["Bob", "Cid", "Dan", "Eve", "Fay"]
    ),
    (
      "or behind and", Player.where(\.age > 20).where(\.age < 26).or(\.age == 19),
      ["Cid", "Dan", "Fay"]
    ),
    ("and behind or", Player.where(\.age == 19).or(\.age == 41).where(\.isActive), ["Fay"]),
    (
      "or of requests", Player.where(\.age == 19).or(Player.request.named(["Bob"])), ["Bob", "Fay"]
    ),
    (
      "and of requests", Player.where(\.age == 25).and(Player.request.named(["Bob", "Cid"])),
      ["Cid"]
    ),
    ("a path", Player.where(\.team?.name == "Reds"), ["Bob", "Cid"]),
    ("no team", Player.where(\.team == nil), ["Ann", "Eve"]),
    ("no medals", Player.where(\.medals == []), ["Ann", "Bob", "Eve", "Fay"]),
    ("medals", Player.where(\.medals != []), ["Cid", "Dan"]),
    ("an empty list", Player.request.named([]), []),
    ("an enum", Player.where(\.rank == .master), ["Ann", "Eve"]),
    ("scopes", Player.request.young.ordered, ["Fay", "Bob", "Cid", "Dan"]),
    ("sorted", Player.sorted(by: \.age, \.name), ["Fay", "Bob", "Cid", "Dan", "Ann", "Eve"]),
    ("descending", Player.sorted(by: \.age, ascending: false).limit(2), ["Eve", "Ann"]),
    (
      "sorted by terms", Player.sorted(by: .descending(\.age), .descending(\.name)).limit(4),
      ["Eve", "Ann", "Dan", "Cid"]
    ),
    ("sorted by text", Player.sorted(by: "age:NO,name").limit(3), ["Eve", "Ann", "Cid"]),
    (
      "sorted by a path", Player.where(\.team != nil).sorted(by: \.team?.name, \.name),
      ["Dan", "Fay", "Bob", "Cid"]
    ),
    ("sorted again", Player.request.ordered.sorted(by: \.name), all),
    ("reversed", Player.sorted(by: \.name).reversed(), all.reversed()),
    ("reversed twice", Player.sorted(by: \.name).reversed().reversed(), all),
    ("limit", Player.sorted(by: \.name).limit(2), ["Ann", "Bob"]),
    ("limit and offset", Player.sorted(by: \.name).limit(2).offset(3), ["Dan", "Eve"]),
    ("offset alone", Player.sorted(by: \.name).offset(4), ["Eve", "Fay"]),
    ("limit again", Player.sorted(by: \.name).limit(1).limit(3), ["Ann", "Bob", "Cid"]),
    ("no limit again", Player.sorted(by: \.name).limit(1).limit(nil), all),
    ("limit of nothing", Player.limit(0), []),
    ("limit before where", Player.limit(2).where(\.age > 25).sorted(by: \.name), ["Ann", "Eve"]),
    ("beyond the end", Player.sorted(by: \.name).offset(9), []),
    (
      "prefetching", Player.where(\.age == 25).prefetching(\.team, \.medals).ordered,
      ["Cid", "Dan"]
    ),
    ("distinct", Player.where(\.age == 25).distinct().sorted(by: \.name), ["Cid", "Dan"]),
  ]

  @Test(arguments: requests)
  fileprivate func everyVerbHasTheSameAnswer(
    name: String, request: TypedRequest<Club.Player>, expected: [String]
  ) throws {
    try Club.eachPlace { (context) throws in
      let objects = try request.fetch(in: context)
      let names = objects.map(\.name)
      let isOrdered = try !request.fetchRequest(in: context).sortTerms.isEmpty
      #expect((isOrdered ? names : names.sorted()) == expected, "\(name)")
      #expect(try request.count(in: context) == expected.count, "\(name)")
      #expect(try request.exists(in: context) == !expected.isEmpty, "\(name)")
      #expect(try request.ids(in: context) == objects.map(\.objectID), "\(name)")
      #expect(try request.first(in: context) === objects.first, "\(name)")
      #expect(try request.pluck(\.name, in: context) == names, "\(name)")
      let batches = try request.inBatches(of: 2, in: context)
      #expect(batches.map(\.name) == names, "\(name)")
    }
  }

  @Test func aRequestIsAValue() throws {
    let base = Club.Player.where(\.age > 20)
    let narrow = base.where(\.isActive)
    #expect(base == Club.Player.where(\.age > 20) && base != narrow)
    #expect(Set([base, narrow, base.limit(3), base]).count == 3)
    try Club.eachPlace { (context) throws in
      #expect(try base.count(in: context) == 4)
      #expect(try narrow.count(in: context) == 2)
    }
  }

  @Test func aggregatesAreOfTheRequestedObjects() throws {
    try Club.eachPlace { (context) throws in
      let active = Club.Player.where(\.isActive)
      #expect(try active.sum(\.age, in: context) == 89)
      #expect(try active.min(\.age, in: context) == 19)
      #expect(try active.max(\.name, in: context) == "Fay")
      #expect(try active.average(\.age, in: context) == 22.25)
      #expect(try Club.Player.request.sum(\.score, in: context) == 59.5)
      #expect(try active.max(\.nickname, in: context) == "bob")
      #expect(try Club.Player.where(\.age > 99).max(\.score, in: context) == nil)
      #expect(try Club.Player.where(\.age > 99).sum(\.age, in: context) == 0)
      #expect(try Club.Player.request.average(\.born, in: context) == nil)
      #expect(try Club.Player.sorted(by: \.age).limit(2).sum(\.age, in: context) == 39)
      #expect(try Club.Player.sum(\.age, where: \.isActive, in: context) == 89)
      #expect(try Club.Player.max(\.score, where: \.isActive, in: context) == 12.5)
      #expect(try Club.Player.average(\.age, where: .equals("age", 25), in: context) == 25)
      #expect(try Club.Player.min(\.name, where: !\.isActive, in: context) == "Ann")
    }
  }

  @Test func deletionsFollowTheRequest() throws {
    try Club.eachPlace { (context) throws in
      #expect(try Club.Player.sorted(by: \.age).limit(2).delete(in: context) == 2)
      #expect(
        try Club.Player.sorted(by: \.name).pluck(\.name, in: context) == [
          "Ann", "Cid", "Dan", "Eve",
        ])
      try Club.Player.where(\.team?.name == "Blues").delete(in: context)
      try context.save()
      #expect(
        try Club.Player.sorted(by: \.name).pluck(\.name, in: context) == ["Ann", "Cid", "Eve"])
    }
  }

  @Test func aBlockOfAServiceNeedsNoTry() throws {
    let service = DALService(inMemory: Club.entities)
    try service.writeSync { Club.fill($0.managedObjectContext) }
      .read { context in
        let young = Club.Player.request.young
        #expect(young.count(in: context) == 4)
        #expect(young.ordered.first(in: context)?.name == "Fay")
        #expect(young.ordered.pluck(\.name, \.age, in: context).map(\.1) == [19, 20, 25, 25])
        #expect(young.sum(\.age, in: context) == 89)
        #expect(young.inBatches(of: 3, in: context).count == 4)
        #expect(young.ordered.limit(2).page(in: context).objects.count == 2)
        #expect(young.grouped(by: \.age) { $0.count }.fetch(in: context).count == 3)
      }
      .writeSync { Club.Player.request.young.delete(in: $0) }
      .get()
    let rest = try service.readValue { try Club.Player.sorted(by: \.name).pluck(\.name, in: $0) }
    #expect(rest == ["Ann", "Eve"])
  }

  @Test func subclassesAreFoundByTheRequestOfTheirClass() throws {
    try Club.eachPlace { (context) throws in
      let captain = Club.Captain.create(in: context)
      (captain.name, captain.age) = ("Gus", 50)
      #expect(try Club.Player.where(\.age == 50).first(in: context) === captain)
      #expect(try Club.Captain.request.pluck(\.name, in: context) == ["Gus"])
      #expect(try Club.Player.request.count(in: context) == 7)
    }
  }

  private static let mistakes: [(String, TypedRequest<Player>)] = [
    ("begins with no stored property", Player.where(\.initial == "A")),
    ("begins with no stored property", Player.sorted(by: \.initial)),
    ("begins with no stored property", Player.request.prefetching(\.initial)),
    ("Only relationships can be prefetched", Player.request.prefetching(\.name)),
    ("or(…) without a condition before", Player.request.or(\.age == 3)),
    ("says something else than conditions", Player.where(\.age == 3).or(Player.limit(3))),
    ("says something else than conditions", Player.where(\.age == 3).and(Player.request)),
    ("reversed() without an order before", Player.request.reversed()),
    ("fetchLimit -1", Player.limit(-1)),
    ("fetchOffset -3", Player.request.offset(-3)),
    ("after 4 characters", Player.where("age ?? 3")),
    ("agee", Player.where("agee > 3")),
    ("The direction \"downwards\"", Player.sorted(by: "name downwards")),
    ("is a relationship; sort by an attribute", Player.sorted(by: \.team)),
  ]

  @Test(arguments: mistakes)
  fileprivate func aMistakeIsTheErrorOfTheVerb(
    words: String, request: TypedRequest<Club.Player>
  ) throws {
    let service = RecordingService(inMemory: Club.entities)
    let error = #expect(throws: DALError.self) {
      try service.readValue { try request.fetch(in: $0).count }
    }
    #expect(error?.description.contains(words) == true, "\(error.map(\.description) ?? "")")
    #expect(service.read { _ = request.first(in: $0) }.failure != nil)
  }

  @Test func theFirstMistakeIsTheError() throws {
    let service = DALService(inMemory: Club.entities)
    let request = Player.sorted(by: \.initial).reversed().or(\.age == 3).limit(-1)
    let error = #expect(throws: DALError.self) {
      try service.readValue { try request.count(in: $0) }
    }
    #expect(error?.description.contains("begins with no stored property") == true)
  }

  @Test func distinctAggregatesAreRefused() throws {
    let service = DALService(inMemory: Club.entities)
    let error = #expect(throws: DALError.self) {
      try service.readValue { try Player.request.distinct().sum(\.age, in: $0) }
    }
    #expect(error?.description.contains("sum of distinct results") == true)
    let sizes = [0, -1]
    for size in sizes {
      #expect(throws: DALError.self) {
        try service.readValue { try Player.request.inBatches(of: size, in: $0).count }
      }
    }
  }
}
