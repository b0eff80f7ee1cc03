// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Batches that insert.
@Suite struct BatchInsertTests {
  @Test(arguments: StoreKind.allCases)
  func dictionariesBecomeObjects(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.newContext().performAndWait { (context) throws in
      let result = try context.execute(
        BatchInsertRequest(
          Ware.self,
          objects: [["number": 1, "price": 2, "label": nil], ["number": 2, "name": "x"]]))
      #expect(result.count == 2)
      #expect(result.changes.insertedObjectIDs == Set(result.objectIDs))
      let named = BatchInsertRequest(entityName: "GiftWare", objects: [["number": 3, "phase": 1]])
      #expect(try context.execute(named).count == 1)
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map(\.number) == [1, 2, 3])
      #expect(wares.map(\.price) == [2, 0, 0])
      #expect(wares.map(\.name) == ["", "x", ""])
      #expect(wares.map(\.phase) == [.open, .open, .sold])
      #expect(!context.hasChanges)
    }
    #expect(try stack.versions() == [1: 1, 2: 1, 3: 1])
  }

  @Test(arguments: StoreKind.allCases)
  func aClosureFillsOneObjectAfterTheOther(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.newContext().performAndWait { (context) throws in
      var number = 0
      let batch = BatchInsertRequest(Ware.self) { ware in
        number += 1
        ware.number = number
        if number % 2 == 0 { ware.label = "even" }
        return number > 5
      }
      #expect(try context.execute(batch).count == 5)
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map(\.number) == [1, 2, 3, 4, 5])
      #expect(wares.map(\.label) == [nil, "even", nil, "even", nil])
      let more = BatchInsertRequest(Ware.self, from: 6...9) { $0.number = $1 }
      #expect(try context.execute(more).count == 4)
      #expect(try Ware.count(in: context) == 9)
      let none = BatchInsertRequest(Ware.self, from: [Int]()) { $0.number = $1 }
      #expect(try context.execute(none).count == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aClosureThatThrowsInsertsNothing(in kind: StoreKind) throws {
    struct Enough: Error {}
    let stack = try kind.depot()
    try stack.newContext().performAndWait { (context) throws in
      #expect(throws: Enough.self) {
        try context.execute(
          BatchInsertRequest(Ware.self, from: 1...9) { ware, number in
            ware.number = number
            if number == 5 { throw Enough() }
          })
      }
      #expect(throws: ValidationError.self) {
        try context.execute(BatchInsertRequest(Ware.self, objects: [["mark": "too long"]]))
      }
      #expect(throws: ContextError.self) {
        try context.execute(BatchInsertRequest(Ware.self, objects: [["marc": "x"]]))
      }
      #expect(throws: ContextError.self) {
        try context.execute(BatchInsertRequest(Ware.self, objects: [["stock": "many"]]))
      }
      #expect(try Ware.count(in: context) == 0)
    }
  }

  // MARK: - Unique values

  private func insert(
    _ kind: StoreKind, _ decision: BatchInsertRequest<Ware>.UniqueConflict,
    _ codes: [(String, Double)]
  ) throws -> (count: Int, prices: [String: Double]) {
    let stack = try kind.depot()
    try stack.saving { context in
      let ware = Ware.make(1, price: 1, in: context)
      ware.code = "a"
      ware.label = "kept"
    }
    return try stack.newContext().performAndWait { (context) throws in
      let batch = BatchInsertRequest(Ware.self, from: codes) { ware, pair in
        (ware.code, ware.price) = pair
      }
      let result = try context.execute(batch.onUniqueConflict(decision))
      let wares = try Ware.all(in: context)
      #expect(wares.first { $0.code == "a" }?.label == "kept")
      let prices = Dictionary(uniqueKeysWithValues: wares.map { ($0.code ?? "", $0.price) })
      return (result.count, prices)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func takenUniqueValuesFail(in kind: StoreKind) throws {
    let error = #expect(throws: StoreError.self) {
      try insert(kind, .fail, [("b", 2), ("a", 3)])
    }
    #expect(error?.code == .constraint(entity: "Ware", properties: ["code"]))
    // The advice is one that a batch can follow.
    #expect(error?.detail.contains(".onUniqueConflict(.skip)") == true)
    #expect(error?.detail.contains("mergePolicy") == false)
  }

  @Test(arguments: StoreKind.allCases)
  func takenUniqueValuesAreSkipped(in kind: StoreKind) throws {
    let (count, prices) = try insert(kind, .skip, [("b", 2), ("a", 3), ("c", 4)])
    #expect(count == 2)
    #expect(prices == ["a": 1, "b": 2, "c": 4])
  }

  @Test(arguments: StoreKind.allCases)
  func takenUniqueValuesUpdate(in kind: StoreKind) throws {
    let (_, prices) = try insert(kind, .update, [("b", 2), ("a", 3), ("c", 4)])
    #expect(prices == ["a": 3, "b": 2, "c": 4])
  }
}

/// Insertions whose rows need more than a row.
@Suite struct BatchInsertObjectTests {
  @Test(arguments: StoreKind.allCases)
  func relationshipsAreSetByIDsAnywhereInABatch(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { Aisle.create(in: $0).number = 1 }
    let aisle = try stack.newContext().performAndWait {
      try #require(try Aisle.request.ids(in: $0).first)
    }
    try stack.newContext().performAndWait { (context) throws in
      let shown = try #require(try Aisle.first(in: context))
      #expect(shown.wares.isEmpty)
      let batch = BatchInsertRequest(Ware.self, from: 1...6) { ware, number in
        ware.number = number
        if number > 2, number % 2 == 0 { ware.setValue(aisle, forKey: "aisle") }
      }
      #expect(try context.execute(batch).count == 6)
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map(\.number) == [1, 2, 3, 4, 5, 6])
      #expect(wares.map { $0.aisle != nil } == [false, false, false, true, false, true])
      #expect(shown.wares.count == 2)
    }
    #expect(try stack.store.integrityProblems() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func valuesThatOutgrowTheirPageStay(in kind: StoreKind) throws {
    let stack = try kind.kinds()
    let large = String(repeating: "x", count: 9_000_000)
    try stack.newContext().performAndWait { (context) throws in
      let batch = BatchInsertRequest(Kinds.self, from: 0..<8) { object, number in
        object.number = number
        object.text = number % 3 == 1 ? large : "small"
        if number % 3 == 2 { object.text = large + "\(number)" }
        object.data = Data(repeating: UInt8(number), count: 200_000)
      }
      #expect(try context.execute(batch).count == 8)
      let objects = try Kinds.all(sortedBy: \.number, in: context)
      #expect(objects.map(\.number) == Array(0..<8))
      #expect(
        objects.map { ($0.text ?? "").count } == (0..<8).map { [5, 9_000_000, 9_000_001][$0 % 3] })
      #expect(objects.allSatisfy { $0.data == Data(repeating: UInt8($0.number), count: 200_000) })
      #expect(objects.allSatisfy { $0.list == ["a"] && $0.style == .festive })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func derivedValuesAreComputed(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { (context) throws in
      let batch = BatchInsertRequest(Person.self, from: ["Ann", "Béa"]) { $0.name = $1 }
      #expect(try context.execute(batch).count == 2)
      #expect(try Person.all(sortedBy: \.name, in: context).map(\.plainName) == ["ann", "bea"])
      let renamed = try context.execute(Person.where(\.name == "Ann").update(\.name, to: "Éve"))
      #expect(renamed.count == 1)
      #expect(try Person.all(sortedBy: \.name, in: context).map(\.plainName) == ["bea", "eve"])
    }
  }

  @Test func manyRowsInOneBatch() throws {
    let stack = try StoreKind.sqlite.depot()
    try stack.newContext().performAndWait { (context) throws in
      let batch = BatchInsertRequest(Ware.self, from: 1...20_000) { ware, number in
        (ware.number, ware.price) = (number, Double(number) / 2)
      }
      #expect(try context.execute(batch).count == 20_000)
      #expect(try Ware.request.max(\.price, in: context) == 10_000)
      #expect(context.registeredObjects.isEmpty)
      let ids = try Ware.where(\.number > 10_000).ids(in: context)
      #expect(try context.execute(BatchDeleteRequest(objectIDs: ids)).count == 10_000)
    }
    #expect(try stack.versions().count == 10_000)
  }
}
