// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity class Binder: ManagedObject {
  var outer: Binder?
  @Relationship(deleteRule: .cascade, inverse: \Binder.outer) var parts: Set<Binder>
}

@Entity final class SmartBinder: Binder {
  @Relationship(deleteRule: .cascade, inverse: \BinderQuery.binder) var queries: Set<BinderQuery>
}

@Entity final class BinderQuery: ManagedObject {
  var binder: SmartBinder?
}

/// Batches that delete, and the delete rules.
@Suite struct BatchDeleteTests {
  private func numbers(_ stack: DataStack, _ entity: String) throws -> [Int] {
    try stack.newContext().performAndWait { (context) throws in
      try context.fetch(FetchRequest(entity, sortedBy: [SortTerm("number")])).compactMap {
        if case .integer(let number) = $0.value(forKey: "number") { Int(number) } else { nil }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theRowsOfARequestGo(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(5)
    try stack.newContext().performAndWait { (context) throws in
      let result = try context.execute(Ware.where(\.price > 3).delete())
      #expect(result.count == 2)
      #expect(result.changes.deletedObjectIDs == Set(result.objectIDs))
      #expect(try Ware.count(in: context) == 3)
      let ids = try Ware.where(\.number < 3).ids(in: context)
      #expect(try context.execute(BatchDeleteRequest(objectIDs: ids)).count == 2)
      #expect(try context.execute(BatchDeleteRequest(objectIDs: [])).count == 0)
      let rest = BatchDeleteRequest(fetchRequest: FetchRequest("Ware"))
      #expect(try context.execute(rest).count == 1)
    }
    #expect(try numbers(stack, "Ware") == [])
  }

  @Test(arguments: StoreKind.allCases)
  func cascadesReachAsFarAsTheyGo(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { context in
      let whole = Ware.make(1, in: context)
      let part = GiftWare.make(2, in: context)
      let piece = Ware.make(3, in: context)
      (part.whole, piece.whole) = (whole, part)
      Ware.make(4, in: context).opinions = [Opinion.create(in: context)]
      for (number, ware) in [whole, part, piece].enumerated() {
        let opinion = Opinion.create(in: context)
        opinion.number = number + 1
        opinion.ware = ware
      }
    }
    try stack.newContext().performAndWait { (context) throws in
      let result = try context.execute(Ware.where(\.number == 1).delete())
      #expect(result.count == 1)
      #expect(result.changes.deletedObjectIDs.count == 6)
    }
    #expect(try numbers(stack, "Ware") == [4])
    #expect(try numbers(stack, "Opinion") == [0])
  }

  /// A cascade leads back into the tree, and to entities that the batch itself leaves alone.
  @Test(arguments: StoreKind.allCases)
  func rulesOfSubentitiesThatCascadesReachAreCarriedOut(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Binder.self, SmartBinder.self, BinderQuery.self])
    let stack = DataStack(
      store: try kind.store(model), classes: [Binder.self, SmartBinder.self, BinderQuery.self])
    try stack.saving { context in
      let (binder, inner) = (Binder.create(in: context), SmartBinder.create(in: context))
      inner.outer = binder
      inner.queries = [BinderQuery.create(in: context), BinderQuery.create(in: context)]
      // It stays, since it is of the subentity and in nothing.
      SmartBinder.create(in: context).queries = [BinderQuery.create(in: context)]
    }
    try stack.newContext().performAndWait { (context) throws in
      var request = FetchRequest("Binder")
      request.includesSubentities = false
      let result = try context.execute(BatchDeleteRequest(fetchRequest: request))
      #expect(result.count == 1)
      #expect(result.changes.deletedObjectIDs.count == 4)
      #expect(try Binder.count(in: context) == 1)
      #expect(try BinderQuery.count(in: context) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func referencesAndLinksBecomeNil(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { context in
      let (aisle, other) = (Aisle.create(in: context), Aisle.create(in: context))
      aisle.number = 1
      let wares = (1...3).map { Ware.make($0, in: context) }
      aisle.wares = [wares[0], wares[1]]
      other.wares = [wares[2]]
      aisle.window = [wares[2], wares[0]]
      let sticker = Sticker.create(in: context)
      wares[0].stickers = [sticker]
      wares[0].similar = [wares[1], wares[2]]
      wares[0].tally = Tally.create(in: context)
      aisle.extras = [sticker]
    }
    try stack.newContext().performAndWait { (context) throws in
      try context.execute(Aisle.where(\.number == 1).delete())
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(wares.map { $0.aisle == nil } == [true, true, false])
      #expect(wares.allSatisfy { $0.windowOf == nil })
      try context.execute(Ware.where(\.number == 1).delete())
      #expect(try Tally.all(in: context).map { $0.ware == nil } == [true])
      #expect(try Sticker.all(in: context).map(\.wares.count) == [0])
      #expect(try Ware.all(in: context).map(\.similar.count) == [0, 0])
    }
    #expect(try stack.versions() == [2: 2, 3: 2])
    #expect(try stack.store.integrityProblems() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func aDenyingRuleKeepsEverything(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { context in
      for number in 1...2 {
        let maker = Maker.create(in: context)
        maker.number = number
        if number == 2 { maker.wares = [Ware.make(1, in: context)] }
      }
    }
    try stack.newContext().performAndWait { (context) throws in
      let error = #expect(throws: ValidationError.self) {
        try context.execute(Maker.request.delete())
      }
      #expect(error?.failures.map(\.code) == [.relationshipDeniedDelete])
      #expect(try context.execute(Maker.where(\.number == 1).delete()).count == 1)
      #expect(throws: ValidationError.self) { try context.execute(Maker.request.delete()) }
      try context.execute(Ware.request.delete())
      #expect(try context.execute(Maker.request.delete()).count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func orderAndLimitChooseTheRows(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(6)
    try stack.newContext().performAndWait { (context) throws in
      let some = Ware.request.sorted(by: .descending(\.number)).limit(2).offset(1)
      #expect(try context.execute(some.delete()).count == 2)
    }
    #expect(try numbers(stack, "Ware") == [1, 2, 3, 6])
  }

  @Test(arguments: StoreKind.allCases)
  func idsOfSubentitiesAndForeignIDs(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saving { context in
      Ware.make(1, in: context)
      GiftWare.make(2, in: context)
      Aisle.create(in: context)
    }
    try stack.newContext().performAndWait { (context) throws in
      let wares = try Ware.all(in: context).map(\.objectID)
      let aisles = try Aisle.all(in: context).map(\.objectID)
      #expect(throws: ContextError.self) {
        try context.execute(BatchDeleteRequest(objectIDs: wares + aisles))
      }
      #expect(try context.execute(BatchDeleteRequest(objectIDs: wares)).count == 2)
    }
    let other = try StoreKind.memory.depot()
    try other.saveWares(1)
    let foreign = try other.newContext().performAndWait { try Ware.request.ids(in: $0) }
    try stack.newContext().performAndWait { (context) throws -> Void in
      #expect(throws: ContextError.self) {
        try context.execute(BatchDeleteRequest(objectIDs: foreign))
      }
    }
  }
}
