// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Batches that set attributes.
@Suite struct BatchUpdateTests {
  @Test(arguments: StoreKind.allCases)
  func anExpressionChangesEachRow(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(5)
    try stack.newContext().performAndWait { (context) throws in
      let result = try context.execute(
        Ware.where(\.price > 2).update(\.price, to: \.price * 10).update(\.label, to: "dear"))
      #expect(result.count == 3)
      #expect(result.objectIDs.count == 3)
      #expect(result.changes.updatedObjectIDs == Set(result.objectIDs))
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map(\.price) == [1, 2, 30, 40, 50])
      #expect(wares.map(\.label) == [nil, nil, "dear", "dear", "dear"])
    }
    #expect(try stack.versions() == [1: 1, 2: 1, 3: 2, 4: 2, 5: 2])
  }

  @Test(arguments: StoreKind.allCases)
  func expressionsReadTheRowAsItWas(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(3)
    try stack.newContext().performAndWait { (context) throws in
      try context.execute(
        Ware.request.update(\.stock, to: 7).update(\.number, to: \.number + 10).update(
          \.name, to: (\Ware.name).uppercased))
      try context.execute(
        BatchUpdateRequest(
          fetchRequest: FetchRequest("Ware"),
          propertiesToUpdate: [
            "label": FetchExpression.keyPath("name"), "name": "x",
            "added": Date(timeIntervalSinceReferenceDate: 5), "cost": Decimal(string: "0.1"),
            "phase": WarePhase.closed,
          ]))
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map(\.number) == [11, 12, 13])
      #expect(wares.map(\.stock) == [7, 7, 7])
      #expect(wares.map(\.label) == ["WARE 1", "WARE 2", "WARE 3"])
      #expect(wares.allSatisfy { $0.name == "x" && $0.phase == .closed })
      #expect(wares.allSatisfy { $0.added == Date(timeIntervalSinceReferenceDate: 5) })
      #expect(wares.allSatisfy { $0.cost == Decimal(string: "0.1") })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aRowThatHasTheValueAlreadyDoesNotChange(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(3)
    try stack.newContext().performAndWait { (context) throws in
      let result = try context.execute(Ware.request.update(\.price, to: 2.0))
      #expect(result.count == 2)
    }
    #expect(try stack.versions() == [1: 2, 2: 1, 3: 2])
  }

  @Test(arguments: StoreKind.allCases)
  func orderAndLimitChooseTheRows(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(5)
    try stack.newContext().performAndWait { (context) throws in
      let last = Ware.request.sorted(by: .descending(\.price)).limit(2)
      #expect(try context.execute(last.update(\.stock, to: 1)).count == 2)
      #expect(
        try Ware.where(\.stock == 1).sorted(by: \.number).fetch(in: context).map(\.number) == [
          4, 5,
        ])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func conditionsAndValuesReachThroughRelationships(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { context in
      for number in 1...4 {
        let ware = Ware.make(number, in: context)
        guard number > 2 else { continue }
        ware.aisle = Aisle.create(in: context)
        ware.aisle?.number = 100 * number
        ware.opinions = [Opinion.create(in: context), Opinion.create(in: context)]
      }
    }
    try stack.newContext().performAndWait { (context) throws in
      #expect(
        try context.execute(Ware.where("aisle.number > 300").update(\.stock, to: 9)).count == 1)
      let batch = BatchUpdateRequest(
        fetchRequest: FetchRequest("Ware", where: try FetchPredicate(format: "aisle != nil")),
        propertiesToUpdate: ["number": FetchExpression.keyPath("aisle.number")])
      #expect(try context.execute(batch).count == 2)
      let counted = BatchUpdateRequest(
        fetchRequest: FetchRequest("Ware"),
        propertiesToUpdate: ["stock": FetchExpression.count(["opinions"])])
      try context.execute(counted)
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map(\.number) == [1, 2, 300, 400])
      #expect(wares.map(\.stock) == [0, 0, 2, 2])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func subentitiesTakePartUnlessLeftOut(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { context in
      Ware.make(1, in: context)
      GiftWare.make(2, in: context)
    }
    try stack.newContext().performAndWait { (context) throws in
      #expect(try context.execute(GiftWare.request.update(\.ribbon, to: "red")).count == 1)
      #expect(try context.execute(Ware.request.update(\.stock, to: 1)).count == 2)
      var request = FetchRequest("Ware")
      request.includesSubentities = false
      let alone = BatchUpdateRequest(fetchRequest: request, propertiesToUpdate: ["stock": 5])
      #expect(try context.execute(alone).count == 1)
      #expect(try GiftWare.all(in: context).map(\.stock) == [1])
      #expect(try GiftWare.all(in: context).map(\.ribbon) == ["red"])
    }
  }

  // MARK: - Refusals

  @Test(arguments: StoreKind.allCases)
  func rulesOfTheModelHold(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(3)
    try stack.newContext().performAndWait { (context) throws in
      #expect(throws: ValidationError.self) {
        try context.execute(Ware.request.update(\.mark, to: "too long"))
      }
      #expect(throws: ValidationError.self) {
        try context.execute(
          BatchUpdateRequest(fetchRequest: FetchRequest("Ware"), propertiesToUpdate: ["name": nil]))
      }
      #expect(throws: ValidationError.self) {
        try context.execute(
          Ware.request.update(\.mark, to: \.label).update(\.label, to: "long text"))
        try context.execute(Ware.request.update(\.mark, to: \.label))
      }
      #expect(throws: ContextError.self) {
        try context.execute(
          Ware.request.update(\.stock, to: \.stock + 32_767).update(\.number, to: 1))
        try context.execute(Ware.request.update(\.stock, to: \.stock + 32_767))
      }
    }
    let wares = try stack.newContext().performAndWait { (context) throws in
      try Ware.all(in: context).map { "\($0.mark ?? "-") \($0.name.isEmpty) \($0.stock)" }
    }
    #expect(wares == Array(repeating: "- false 32767", count: 3))
  }

  @Test(arguments: StoreKind.allCases)
  func uniqueValuesHold(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(2)
    try stack.newContext().performAndWait { (context) throws in
      let error = #expect(throws: StoreError.self) {
        try context.execute(Ware.request.update(\.code, to: "same"))
      }
      #expect(error?.code == .constraint(entity: "Ware", properties: ["code"]))
      #expect(try Ware.where(\.code == nil).count(in: context) == 2)
    }
  }

  @Test func whatABatchCanNotSetIsRefusedByName() throws {
    let stack = try StoreKind.sqlite.depot()
    let values: [(name: String, value: Any?, reason: String)] = [
      ("nmae", 1, "name"), ("opinions", nil, "members"), ("stock", "x", "integer16"),
      ("stock", 40_000, "40000"), ("phase", 9, "WarePhase"), ("name", [1: 2], "Dictionary"),
    ]
    try stack.newContext().performAndWait { (context) throws in
      for (name, value, reason) in values {
        let batch = BatchUpdateRequest(
          fetchRequest: FetchRequest("Ware"), propertiesToUpdate: [name: value])
        let error = #expect(throws: (any Error).self) { try context.execute(batch) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(name): \(error as Any)")
      }
      #expect(throws: ContextError.self) {
        try context.execute(BatchUpdateRequest(Ware.request))
      }
      #expect(throws: ContextError.self) {
        try context.execute(Ware.request.timeout(.seconds(1)).update(\.stock, to: 1))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aBatchThatSkipsHooksIsRefusedUnlessItSaysSo(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { Parcels.create(in: $0).number = 1 }
    try stack.newContext().performAndWait { (context) throws in
      let batch = Parcels.request.update(\.number, to: -5)
      let error = #expect(throws: ContextError.self) { try context.execute(batch) }
      #expect(error.map { "\($0)".contains("willSave") } == true)
      try context.execute(batch.skippingHooks())
      #expect(try Parcels.all(in: context).map(\.number) == [-5])
      #expect(throws: ContextError.self) { try context.execute(Parcels.request.delete()) }
      #expect(throws: ContextError.self) {
        try context.execute(BatchInsertRequest(Parcels.self, objects: [["number": 1]]))
      }
      #expect(try context.execute(Parcels.request.delete().skippingHooks()).count == 1)
    }
  }
}
