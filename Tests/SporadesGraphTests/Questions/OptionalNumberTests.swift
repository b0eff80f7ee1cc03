// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import Testing

@Entity final class Invoice: ManagedObject {
  var number: Int = 0
  var tax: Int?
  var rate: Double?
  var price: Decimal?
  var label: String?
  @Relationship(inverse: \Invoice.corrections) var corrected: Invoice?
  @Relationship(inverse: "corrected") var corrections: Set<Invoice>
}

/// Key paths whose end is unwrapped, `\.tax!`, in all places that take a key path.
@Suite struct OptionalNumberTests {
  private func open(_ kind: StoreKind, _ body: (ManagedObjectContext) throws -> Void) throws {
    let stack = DataStack(
      store: try kind.store(ManagedObjectModel([Invoice.self])), classes: [Invoice.self])
    try stack.newContext().performAndWait { context in
      var former: Invoice?
      for number in 0..<5 {
        let invoice = Invoice.create(in: context)
        (invoice.number, invoice.corrected) = (number, former)
        former = invoice
        guard number > 0 else { continue }
        (invoice.tax, invoice.rate, invoice.price) = (number, Double(number) / 2, Decimal(number))
        invoice.label = "\(number)"
      }
      try body(context)
      try context.save()
      try body(context)
    }
  }

  private func expect(
    _ numbers: [Int], _ predicate: TypedPredicate<Invoice>, in context: ManagedObjectContext,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try Invoice.all(where: predicate, sortedBy: \.number, in: context)
    #expect(found.map(\.number) == numbers, sourceLocation: location)
  }

  @Test(arguments: StoreKind.allCases)
  func numbersOfDifferentTypesAreConverted(in kind: StoreKind) throws {
    try open(kind) { context in
      try expect([3, 4], (\Invoice.number).asDouble * \.rate! > 4, in: context)
      try expect([2], (\Invoice.tax).asDecimal + \.price! == 4, in: context)
      try expect([1], (\Invoice.number).asDouble / 2 == 0.5, in: context)
      try expect([3], (\Invoice.price).asDouble / 2 == 1.5, in: context)
      try expect([1], (\Invoice.number).asDecimal / 2 == 0.5, in: context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theEndOfAKeyPathIsUnwrapped(in kind: StoreKind) throws {
    try open(kind) { context in
      try expect([3, 4], \.tax! * 2 > 5, in: context)
      try expect([1, 2], 3 - \.tax! >= 1, in: context)
      try expect([4], \.rate! + 1 > 2.5, in: context)
      try expect([3, 4], \.price! * 2 > 5, in: context)
      try expect([3, 4], \.label! > "2", in: context)
      try expect([4], \.corrected!.tax! + 1 > 3, in: context)
      try expect([2, 3, 4], \Invoice.corrected!.tax! > 0, in: context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func ordersAndSumsTakeUnwrappedKeyPaths(in kind: StoreKind) throws {
    try open(kind) { context in
      let known: TypedPredicate<Invoice> = \.tax != nil
      let sorted = try Invoice.where(known).sorted(by: \.tax!).fetch(in: context)
      #expect(sorted.map(\.number) == [1, 2, 3, 4])
      #expect(try Invoice.sum(\.tax!, in: context) == 10)
    }
  }
}
