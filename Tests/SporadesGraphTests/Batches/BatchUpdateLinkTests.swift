// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity private final class Pallet: ManagedObject {
  var number: Int = 0
  var bay: Bay
}
@Entity private final class Bay: ManagedObject {
  @Relationship(inverse: \Pallet.bay) var pallets: Set<Pallet>
}

/// A batch sets relationships to one object, on both sides.
@Suite struct BatchUpdateLinkTests {
  /// Three wares in the first of two aisles.
  private func stack(
    _ kind: StoreKind
  ) throws -> (DataStack, first: ManagedObjectID, second: ManagedObjectID) {
    let stack = try kind.depot()
    let ids = try stack.newContext().performAndWait { context in
      let aisles = (1...2).map { number in
        let aisle = Aisle.create(in: context)
        aisle.number = number
        return aisle
      }
      for number in 1...3 {
        let ware = Ware.make(number, price: 1, in: context)
        (ware.aisle, ware.windowOf) = (aisles[0], aisles[0])
      }
      try context.save()
      return aisles.map(\.objectID)
    }
    return (stack, ids[0], ids[1])
  }

  private func numbers(_ wares: some Sequence<Ware>) -> [Int] { wares.map(\.number).sorted() }

  @Test(arguments: StoreKind.allCases)
  func bothSidesFollow(in kind: StoreKind) throws {
    let (stack, first, second) = try stack(kind)
    let (old, new) = try stack.main.performAndWait { context in
      let all = try [first, second].map {
        try #require(try context.existingObject(with: $0) as? Aisle)
      }
      #expect(numbers(all[0].wares) == [1, 2, 3] && all[1].wares.isEmpty)
      return (all[0], all[1])
    }
    try stack.newContext().performAndWait { context in
      let target = try #require(try context.existingObject(with: second) as? Aisle)
      let batch = Ware.where(\.number > 1).update(\.aisle, to: target).update(\.price, to: 7)
      #expect(try context.execute(batch).count == 2)
      #expect(numbers(target.wares) == [2, 3])
      let again = Ware.request.update(\.aisle, to: second)
      #expect(try context.execute(again).count == 1)
      #expect(try context.execute(again).count == 0)
    }
    stack.main.performAndWait { _ in
      #expect(old.wares.isEmpty && numbers(new.wares) == [1, 2, 3])
    }
    try stack.newContext().performAndWait { context in
      #expect(try Ware.all(where: \.price == 7, in: context).count == 2)
      let ends = Ware.request.update(\.aisle, to: nil).update(\.windowOf, to: second)
      #expect(try context.execute(ends).count == 3)
      let all = try Aisle.all(in: context)
      #expect(all.allSatisfy { $0.wares.isEmpty })
      #expect(all.map { numbers($0.window) }.sorted { $0.count < $1.count } == [[], [1, 2, 3]])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func namesAndNewObjectsOfAWriteWork(in kind: StoreKind) throws {
    let (stack, _, second) = try stack(kind)
    try stack.newContext().performAndWait { context in
      let batch = BatchUpdateRequest(
        fetchRequest: FetchRequest("Ware", where: .equals("number", 1)),
        propertiesToUpdate: ["aisle": try context.object(with: second), "whole": nil])
      #expect(try context.execute(batch).count == 1)
    }
    let service = DALService(stack: stack)
    try service.writeSync { context in
      let new = Aisle.create(in: context)
      new.number = 3
      try context.execute(Ware.where(\.number == 2).update(\.aisle, to: new))
    }.get()
    let found = try service.readValue { context in
      try Ware.sorted(by: \.number).fetch(in: context).map { $0.aisle?.number ?? 0 }
    }
    #expect(found == [2, 3, 1])
  }

  @Test(arguments: StoreKind.allCases)
  func whatCanNotBeLinkedIsRefused(in kind: StoreKind) throws {
    let (stack, first, _) = try stack(kind)
    try stack.newContext().performAndWait { context in
      let maker = Maker.create(in: context)
      #expect(throws: ContextError.self) {
        try context.execute(Ware.request.update(\.maker, to: maker))
      }
      context.delete(maker)
      #expect(throws: ContextError.self) {
        try context.execute(
          BatchUpdateRequest(
            fetchRequest: FetchRequest("Ware"), propertiesToUpdate: ["maker": first]))
      }
      #expect(throws: ContextError.self) {
        try context.execute(
          BatchUpdateRequest(
            fetchRequest: FetchRequest("Ware"), propertiesToUpdate: ["opinions": first]))
      }
      #expect(throws: ContextError.self) {
        try context.execute(
          BatchUpdateRequest(fetchRequest: FetchRequest("Ware"), propertiesToUpdate: ["aisle": 3]))
      }
      context.delete(try context.existingObject(with: first))
      try context.save()
      #expect(throws: ContextError.self) {
        try context.execute(Ware.request.update(\.aisle, to: first))
      }
      #expect(try Ware.all(in: context).allSatisfy { $0.aisle == nil && $0.maker == nil })
    }
  }

  @Test func aRequiredRelationshipStaysSet() throws {
    let stack = try DataStack(inMemory: [Pallet.self, Bay.self])
    try stack.newContext().performAndWait { context in
      let (pallet, bay, other) = (
        Pallet.create(in: context), Bay.create(in: context), Bay.create(in: context)
      )
      pallet.bay = bay
      try context.save()
      #expect(try context.execute(Pallet.request.update(\.bay, to: other)).count == 1)
      #expect(pallet.bay === other && bay.pallets.isEmpty)
      #expect(throws: ValidationError.self) {
        try context.execute(
          BatchUpdateRequest(fetchRequest: FetchRequest("Pallet"), propertiesToUpdate: ["bay": nil])
        )
      }
      #expect(pallet.bay === other)
    }
  }
}
