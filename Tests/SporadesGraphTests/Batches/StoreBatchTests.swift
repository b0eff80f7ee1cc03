// SPDX-License-Identifier: MIT
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The batches that a store carries out by itself, and those that it leaves to objects.
@Suite struct StoreBatchTests {
  private func setStock(
    _ stack: DataStack, to expression: FetchExpression, where predicate: FetchPredicate? = nil
  ) throws -> BatchEffects? {
    let shape = try #require(stack.model.shape(named: "Ware"))
    let stock = try #require(shape.attributes.first { $0.name == "stock" })
    let assignment = try #require(StoreBatch.Assignment(stock, expression))
    return try execute(
      StoreBatch(.update([assignment]), StoreFetch(shape, where: predicate)), stack)
  }

  /// Nil where the store carries out no batches, or not this one.
  private func execute(_ batch: StoreBatch, _ stack: DataStack) throws -> BatchEffects? {
    try StoreCapabilities(stack.store).batches?.execute(batch)
  }

  @Test func aFileChangesRowsByStatements() throws {
    let stack = try StoreKind.sqlite.depot()
    try stack.saveWares(3)
    let one = FetchExpression.arithmetic(.add, .keyPath("stock"), .constant(.integer(1)))
    let effects = try #require(try setStock(stack, to: one))
    #expect(effects.keys.count == 3)
    #expect(effects.changes.rewritten.map(\.keys) == [effects.keys])
    #expect(try stack.versions() == [1: 2, 2: 2, 3: 2])
    let shape = try #require(stack.model.shape(named: "Ware"))
    let all = try #require(try execute(StoreBatch(.delete, StoreFetch(shape)), stack))
    #expect(all.changes.deleted.map(\.key) == effects.keys)
    #expect(try stack.versions() == [:])
  }

  @Test func whatRowsDoNotDecideChangesNothing() throws {
    let stack = try StoreKind.sqlite.depot()
    try stack.saving { context in
      let maker = Maker.create(in: context)
      maker.wares = [Ware.make(1, stock: 32_000, in: context)]
    }
    let large = FetchExpression.arithmetic(.add, .keyPath("stock"), .constant(.integer(1000)))
    #expect(try setStock(stack, to: large)?.keys == nil)
    #expect(try setStock(stack, to: .keyPath(["maker", "number"]))?.keys == nil)
    let shape = try #require(stack.model.shape(named: "Maker"))
    #expect(try execute(StoreBatch(.delete, StoreFetch(shape)), stack)?.keys == nil)
    #expect(try stack.versions() == [1: 1])
    #expect(try stack.versions(of: "Maker").count == 1)
  }

  @Test func memoryLeavesBatchesToObjects() throws {
    let stack = try StoreKind.memory.depot()
    try stack.saveWares(1)
    #expect(try setStock(stack, to: .constant(.integer(1)))?.keys == nil)
    #expect(try stack.versions() == [1: 1])
  }

  private func isCommitted(_ receipt: WriteReceipt?) -> Bool {
    if case .committed? = receipt?.state { true } else { false }
  }

  @Test func aBatchCommitsWhatWasAcceptedBefore() throws {
    let stack = try StoreKind.sqlite.depot()
    try stack.saveWares(2)
    try stack.newContext().performAndWait { context in
      Ware.make(3, in: context)
      try context.save()
      #expect(try context.execute(Ware.request.update(\.stock, to: 2)).count == 3)
      #expect(stack.root.metrics.changeSetsWaiting == 0)
      #expect(stack.root.metrics.rowsCommitted == 6)
      #expect(isCommitted(context.lastReceipt))
      context.durability = .immediate
      #expect(try context.execute(Ware.request.update(\.number, to: \.number + 1)).count == 3)
      #expect(isCommitted(context.lastReceipt))
      #expect(try Ware.where(\.stock == 2).count(in: context) == 3)
    }
  }
}

/// A value that is derived from another value of the same object.
@Entity final class Motto: ManagedObject {
  var text: String = ""
  var rank: Int = 0
  @Derived("canonical:(text)") var plain: String?
}

/// Batches beside derived values.
@Suite struct DerivedBatchTests {
  @Test(arguments: StoreKind.allCases)
  func derivedValuesFollowABatch(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Motto.self])
    let stack = DataStack(store: try kind.store(model), classes: [Motto.self])
    try stack.newContext().performAndWait { (context) throws in
      try context.execute(BatchInsertRequest(Motto.self, from: ["Été", "Là"]) { $0.text = $1 })
      #expect(try Motto.all(sortedBy: \.text, in: context).map(\.plain) == ["la", "ete"])
      #expect(try context.execute(Motto.request.update(\.rank, to: 3)).count == 2)
      #expect(
        try context.execute(Motto.where("text ==[cd] 'ete'").update(\.text, to: "Hîver")).count == 1
      )
      #expect(try Motto.all(sortedBy: \.text, in: context).map(\.plain) == ["hiver", "la"])
      #expect(try context.execute(Motto.where("text ==[cd] 'hiver'").delete()).count == 1)
      #expect(try Motto.all(in: context).map(\.rank) == [3])
    }
  }
}
