// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What the dictionaries of a batch can set, and what they are refused.
@Suite struct BatchValueTests {
  private func refusal(_ kind: StoreKind, _ objects: [[String: Any?]]) throws -> String {
    let stack = try kind.people()
    return try stack.newContext().performAndWait { (context) throws in
      let error = #expect(throws: ContextError.self) {
        try context.execute(BatchInsertRequest(Person.self, objects: objects))
      }
      #expect(try Person.count(in: context) == 0)
      return error?.description ?? "none"
    }
  }

  @Test(arguments: StoreKind.allCases)
  func derivedAttributesAreRefused(in kind: StoreKind) throws {
    for name in ["dogCount", "plainName", "savedAt"] {
      let text = try refusal(kind, [["name": "a"], ["name": "b", name: nil]])
      #expect(text.contains("A batch sets Person.\(name), which is derived."), "\(text)")
    }
    let stack = try kind.people()
    try stack.newContext().performAndWait { (context) throws in
      let error = #expect(throws: ContextError.self) {
        try context.execute(
          BatchUpdateRequest(
            fetchRequest: FetchRequest("Person"), propertiesToUpdate: ["dogCount": 5]))
      }
      #expect(error?.description.contains("Person.dogCount, which is derived.") == true)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func refusalsNameTheirRow(in kind: StoreKind) throws {
    for (values, text) in [
      (["age": "many"], "Person.age has the type"), (["agee": 3], "Person has no property agee"),
      (["age": [String: Int]()], "Person.age is set to a value of type"),
      (["home.style": "none"], "Person.home.style is an enum"),
      (["home.styel": "plain"], "Person.home.styel leads to no member of a composite"),
      (["home": "x"], "Person.home is a composite and is set to a value of type String"),
      (["home": Spot()], "Person.home is a composite and is set to a value of type Spot"),
      (["home": ["zipp": 3]], "Person.home.zipp leads to no member"),
      (["home": ["zip": "x"]], "Person.home.zip has the type"),
      (["name.first": "x"], "Person.name.first leads to no member of a composite"),
      (["club": nil], "Person.club, which is a relationship"),
      (["style": "festive"], "Person.style, which no store keeps"),
    ] as [([String: Any?], String)] {
      let answer = try refusal(kind, [["name": "a"], values])
      #expect(answer.contains(text) && answer.hasSuffix("It is row 2 of the batch."), "\(answer)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func compositesAreSetAsWholesAndByTheirMembers(in kind: StoreKind) throws {
    let stack = try kind.people()
    let home = Home(city: "A", zip: 1, style: .festive, light: .dim, spot: Spot(x: 1, y: 2))
    try stack.newContext().performAndWait { (context) throws in
      try context.execute(
        BatchInsertRequest(
          Person.self,
          objects: [
            ["name": "a", "home": home], ["name": "b", "home.city": "B", "home.spot.x": 3.5],
            ["name": "c", "home": ["zip": 7, "light": Light.bright, "spot": Spot(x: 1)]],
            ["name": "d", "home": nil], ["name": "e", "home": home, "home.zip": 9],
          ]))
      let homes = try Person.all(sortedBy: \.name, in: context).map(\.home)
      #expect(homes[0] == home)
      #expect(homes[1]?.city == "B" && homes[1]?.spot?.x == 3.5)
      #expect(homes[2]?.zip == 7 && homes[2]?.light == .bright && homes[2]?.spot == Spot(x: 1))
      #expect(homes[3] == nil)
      #expect(homes[4]?.zip == 9 && homes[4]?.city == "A")
    }
  }
}

/// Objects of the context that executes a batch, in the closure of the batch.
@Suite struct BatchLinkTests {
  @Test(arguments: StoreKind.allCases)
  func objectsOfTheWriteAreLinked(in kind: StoreKind) throws {
    let service = DALService(stack: try kind.depot())
    try service.writeSync { context in
      let aisle = Aisle.create(in: context)
      aisle.number = 1
      let stickers = (1...2).map { number in
        let sticker = Sticker.create(in: context)
        sticker.number = number
        return sticker
      }
      try context.execute(
        BatchInsertRequest(Ware.self, from: 1...3) { ware, number in
          ware.number = number
          if number > 1 { ware.aisle = aisle }
          if number == 2 { ware.setValue(aisle, forKey: "windowOf") }
          if number == 3 {
            ware.stickers = stickers.reversed()
            ware.add(stickers[0], to: "stickers")
          }
        })
      #expect(aisle.wares.count == 2)
    }.get()
    try service.readValue { context in
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map { $0.aisle?.number } == [nil, 1, 1])
      #expect(wares.map { $0.windowOf?.number } == [nil, 1, nil])
      #expect(wares[2].stickers.map(\.number) == [2, 1])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsOfAContextAreLinked(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { Aisle.create(in: $0).number = 1 }
    try stack.newContext().performAndWait { (context) throws in
      let aisle = try #require(try Aisle.first(in: context))
      try context.execute(
        BatchInsertRequest(Ware.self, from: 1...2) { ware, number in
          (ware.number, ware.aisle) = (number, aisle)
        })
      #expect(aisle.wares.map(\.number).sorted() == [1, 2])
    }
    #expect(try stack.store.integrityProblems() == [])
  }

  @Test func anObjectOfAnotherContextTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try StoreKind.memory.depot()
      try stack.newContext().performAndWait { (other) throws in
        let aisle = Aisle.create(in: other)
        try stack.newContext().performAndWait { (context) throws in
          _ = try context.execute(
            BatchInsertRequest(Ware.self, from: 1...2) { ware, _ in ware.aisle = aisle })
        }
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("Ware.aisle was set in a batch to an object of another context") == true)
  }
}
