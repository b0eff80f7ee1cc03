// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What contexts hear of a batch, and batches in writes, children and pinned contexts.
@Suite struct BatchNewsTests {
  @Test(arguments: StoreKind.allCases)
  func otherContextsShowTheNewValues(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(3)
    let reader = stack.newContext()
    let wares = try reader.performAndWait { try Ware.all(sortedBy: \.number, in: $0) }
    reader.performAndWait { _ in
      wares[0].label = "mine"
      #expect(wares[2].price == 3)
    }
    try stack.newContext().performAndWait { (context) throws in
      try context.execute(Ware.request.update(\.price, to: \.price + 0.5))
      try context.execute(Ware.where(\.number == 2).delete())
    }
    try reader.performAndWait { (context) throws in
      #expect(wares[0].price == 1.5)
      #expect(wares[0].label == "mine")
      #expect(wares[1].managedObjectContext == nil || wares[1].isFault)
      #expect(wares[2].price == 3.5)
      try context.save()
    }
    #expect(try stack.versions() == [1: 3, 3: 2])
  }

  @Test(arguments: StoreKind.allCases)
  func observersHearOfABatchAsOfASave(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(3)
    let reader = stack.newContext()
    var heard: [ObjectIDChanges] = []
    let (observation, wares) = try reader.performAndWait { (context) throws in
      let wares = try Ware.all(sortedBy: \.number, in: context)
      let observation = context.observe { change in
        if change.notification.name == .didMergeChanges { heard.append(change.notification.ids) }
      }
      return (observation, wares)
    }
    let batch = try stack.newContext().performAndWait { (context) throws in
      let update = try context.execute(Ware.where(\.number > 1).update(\.stock, to: 5))
      let delete = try context.execute(Ware.where(\.number > 2).delete())
      let insert = try context.execute(BatchInsertRequest(Ware.self, objects: [["number": 9]]))
      return [update, delete, insert]
    }
    reader.performAndWait { _ in #expect(wares[1].stock == 5) }
    var expected = batch.map(\.changes)
    // The reader shows new values of what was updated.
    expected[0].refreshedObjectIDs = expected[0].updatedObjectIDs
    #expect(heard == expected)
    reader.performAndWait { _ in observation.end() }
  }

  @Test(arguments: StoreKind.allCases)
  func contextsThatDoNotMergeMergeOnRequest(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(2)
    let queue = stack.newContext()
    let wares = try queue.performAndWait { (context) throws in
      context.automaticallyMergesChangesFromParent = false
      return try Ware.all(sortedBy: \.number, in: context)
    }
    let result = try stack.newContext().performAndWait {
      try $0.execute(Ware.request.update(\.stock, to: 5))
    }
    try queue.performAndWait { (context) throws in
      #expect(wares.map(\.stock) == [0, 0])
      try context.mergeChanges(from: result.save)
      #expect(wares.map(\.stock) == [5, 5])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aBatchMergesIntoContextsByItsIDs(in kind: StoreKind) async throws {
    let stack = try kind.depot()
    try stack.saveWares(2)
    let queue = stack.newContext()
    let ids = try await queue.perform { context in
      context.automaticallyMergesChangesFromParent = false
      context.retainsRegisteredObjects = true
      return try Ware.all(sortedBy: \.number, in: context).map(\.objectID)
    }
    let result = try await stack.newContext().perform {
      try $0.execute(Ware.request.update(\.stock, to: 5))
    }
    try await ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: result.changes, into: [queue])
    let stocks = try await queue.perform { context in
      try ids.map { try #require(context.registeredObject(for: $0) as? Ware).stock }
    }
    #expect(stocks == [5, 5])
  }

  // MARK: - Where a batch goes

  private func service(over stack: DataStack) -> DALService {
    var options = DALService.Options()
    options.reactor = nil
    return DALService(stack: stack, options: options)
  }

  @Test(arguments: StoreKind.allCases)
  func aWriteAndItsBatchesAreOne(in kind: StoreKind) throws {
    struct Enough: Error {}
    let service = service(over: try kind.depot())
    service.writeSync { context in
      let ware = Ware.make(1, price: 1, in: context.managedObjectContext)
      ware.label = "new"
      let result = try context.managedObjectContext.execute(
        Ware.request.update(\.price, to: \.price + 1))
      #expect(result.count == 1)
      #expect(ware.price == 2)
      ware.price += 1
      try context.managedObjectContext.execute(
        BatchInsertRequest(Ware.self, objects: [["number": 2, "price": 7]]))
      #expect(Ware.count(in: context) == 2)
    }
    #expect(
      try service.readValue { try Ware.all(sortedBy: \.number, in: $0).map(\.price) } == [3, 7])
    let failed = service.writeSync { context in
      try context.managedObjectContext.execute(Ware.request.delete())
      #expect(Ware.count(in: context) == 0)
      throw Enough()
    }
    #expect(throws: (any Error).self) { try failed.get() }
    #expect(try service.readValue { try Ware.count(in: $0) } == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func aServiceCarriesOutBatches(in kind: StoreKind) async throws {
    let service = service(over: try kind.depot())
    let names = AsyncStream<Int> { stream in
      for number in 1...5 { stream.yield(number) }
      stream.finish()
    }
    let inserted = try await service.insert(Ware.self, from: names) { $0.number = $1 }
    #expect(inserted.count == 5)
    #expect(try await service.execute(Ware.where(\.number > 2).update(\.stock, to: 3)).count == 3)
    #expect(try await service.execute(Ware.where(\.stock == 3).delete()).count == 3)
    #expect(try await service.read { try Ware.count(in: $0) } == 2)
  }

  @Test func aServiceCarriesOutBatchesOnTheCallingThread() throws {
    let service = service(over: try StoreKind.sqlite.depot())
    try service.execute(BatchInsertRequest(Ware.self, from: 1...3) { $0.number = $1 })
    #expect(try service.execute(Ware.request.update(\.stock, to: 1)).count == 3)
    service.writeSync { context in
      // A batch of the service inside a write belongs to the write.
      try service.execute(Ware.request.delete())
      #expect(Ware.count(in: context) == 0)
    }
    #expect(try service.readValue { try Ware.count(in: $0) } == 0)
    let refused = #expect(throws: DALError.self) { try service.execute(Parcels.request.delete()) }
    #expect(refused != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aReadCarriesOutNoBatch(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(1)
    let service = service(over: stack)
    let read = service.read { context in
      try context.managedObjectContext.execute(Ware.request.delete())
    }
    #expect(throws: (any Error).self) { try read.get() }
    #expect(try service.readValue { try Ware.count(in: $0) } == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func aChildsBatchChangesItsParent(in kind: StoreKind) throws {
    let stack = try kind.depot()
    try stack.saveWares(2)
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    try child.performAndWait { (context) throws in
      let wares = try Ware.all(sortedBy: \.number, in: context)
      #expect(try context.execute(Ware.request.update(\.stock, to: 4)).count == 2)
      #expect(wares.map(\.stock) == [4, 4])
    }
    #expect(try stack.versions() == [1: 1, 2: 1])
    try parent.performAndWait { (context) throws in
      #expect(context.updatedObjects.count == 2)
      try context.save()
    }
    #expect(try stack.versions() == [1: 2, 2: 2])
  }

  @Test func aPinnedContextMovesToTheBatch() throws {
    let stack = try StoreKind.sqlite.depot()
    try stack.saveWares(2)
    try stack.newContext().performAndWait { (context) throws in
      try context.setQueryGeneration(from: .current)
      let wares = try Ware.all(sortedBy: \.number, in: context)
      try context.execute(Ware.request.update(\.stock, to: 4))
      #expect(wares.map(\.stock) == [4, 4])
    }
  }
}
