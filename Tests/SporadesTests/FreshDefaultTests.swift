// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity class Receipt: ManagedObject {
  @Attribute(.unique) var code: UUID = UUID()
  var label: String = UUID().uuidString
  var currency: String = "EUR"
  var issued: Date = Date()
  var due: Date? = Date.distantFuture
  var share: Double = 1
}

@Entity final class Refund: Receipt {
  var reference: UUID? = UUID()
}

/// An initial value that differs each time is made anew for each object.
@Suite struct FreshDefaultTests {
  private let stack: DataStack

  init() throws { stack = try DataStack(inMemory: [Receipt.self, Refund.self]) }

  @Test func eachObjectHasItsOwn() async throws {
    let before = Date()
    try await stack.main.perform { context in
      let receipts = (0..<20).map { _ in Receipt.create(in: context) }
      #expect(Set(receipts.map(\.code)).count == 20)
      #expect(Set(receipts.map(\.label)).count == 20)
      #expect(Set(receipts.map(\.currency)) == ["EUR"])
      #expect(receipts.allSatisfy { $0.issued >= before })
      #expect(receipts.allSatisfy { $0.due == Date.distantFuture })
      try context.save()
      #expect(try Receipt.count(in: context) == 20)
    }
  }

  @Test func inheritedOnesToo() async throws {
    try await stack.main.perform { context in
      let refunds = (0..<5).map { _ in Refund.create(in: context) }
      #expect(Set(refunds.map(\.code)).count == 5)
      #expect(Set(refunds.map(\.reference)).count == 5)
      try context.save()
    }
  }

  @Test func aValueThatIsSetStays() async throws {
    let code = UUID()
    try await stack.main.perform { context in
      let receipt = Receipt.create(in: context)
      receipt.code = code
      try context.save()
      receipt.label = "x"
      try context.save()
      context.refreshAllObjects()
      #expect(receipt.code == code)
      #expect(receipt.label == "x")
    }
  }

  @Test func noStoreHoldsNotANumber() async throws {
    try await stack.main.perform { context in
      let receipt = Receipt.create(in: context)
      receipt.share = .nan
      let error = #expect(throws: ValidationError.self) { try context.save() }
      #expect(error?.failures.map(\.property) == ["share"])
      #expect(error?.description.contains("is not a number (NaN)") == true)
      receipt.share = .infinity
      receipt.issued = Date(timeIntervalSinceReferenceDate: .nan)
      let other = #expect(throws: ValidationError.self) { try context.save() }
      #expect(other?.failures.map(\.property) == ["issued"])
      receipt.issued = Date()
      try context.save()
      context.refreshAllObjects()
      #expect(receipt.share == .infinity)
    }
  }
}
