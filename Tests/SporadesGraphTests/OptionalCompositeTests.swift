// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

@Composite struct Lodging: Equatable {
  var city: String = "Rome"
  var zip: Int?
  var grade: Grade = .plain
  enum Grade: String, CaseIterable { case plain, fine }
}

@Entity private final class Traveller: ManagedObject {
  var name: String = ""
  var home: Lodging?
  var hotel: Lodging? = Lodging(city: "Oslo")
  var first: Lodging = Lodging()
}

/// An optional composite of a new object is nil, whatever defaults its members have.
@Suite struct OptionalCompositeTests {
  @Test(arguments: StoreKind.allCases)
  func aNewObjectHasNone(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Traveller.self])
    let stack = DataStack(store: try kind.store(model), classes: [Traveller.self])
    try stack.newContext().performAndWait { context in
      let new = Traveller.create(in: context)
      #expect(new.home == nil)
      #expect(new.hotel == Lodging(city: "Oslo") && new.first == Lodging())
      #expect(new.changedValues().isEmpty)
      try context.save()
      context.reset()
      let read = try #require(try Traveller.first(in: context))
      #expect(read.home == nil && read.hotel == Lodging(city: "Oslo") && read.first == Lodging())
      let predicate = try FetchPredicate(format: "home.city == nil")
      #expect(try context.count(FetchRequest("Traveller", where: predicate)) == 1)
      read.home = Lodging(zip: 9)
      #expect(read.changedValues().keys.sorted() == ["home"])
      try context.save()
      context.reset()
      let again = try #require(try Traveller.first(in: context))
      #expect(again.home == Lodging(zip: 9))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aBatchInsertsNone(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Traveller.self])
    let stack = DataStack(store: try kind.store(model), classes: [Traveller.self])
    try stack.newContext().performAndWait { context in
      let batch = BatchInsertRequest(Traveller.self, from: ["a", "b"]) { $0.name = $1 }
      _ = try context.execute(batch)
      #expect(try Traveller.all(in: context).allSatisfy { $0.home == nil && $0.hotel != nil })
    }
  }
}
