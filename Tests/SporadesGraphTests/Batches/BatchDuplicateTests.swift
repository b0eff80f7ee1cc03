// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Rows of one batch that share a unique value with each other.
@Suite struct BatchDuplicateTests {
  private func insert(
    _ kind: StoreKind, _ decision: BatchInsertRequest<Ware>.UniqueConflict,
    _ codes: [(String, Double)]
  ) throws -> (count: Int, prices: [String: Double]) {
    let stack = try kind.depot()
    try stack.saving { context in
      let ware = Ware.make(1, price: 1, in: context)
      ware.code = "a"
    }
    return try stack.newContext().performAndWait { (context) throws in
      let batch = BatchInsertRequest(Ware.self, from: codes) { ware, pair in
        (ware.code, ware.price) = pair
      }
      let result = Result { try context.execute(batch.onUniqueConflict(decision)) }
      let wares = try Ware.all(in: context)
      let prices = Dictionary(grouping: wares) { $0.code ?? "" }.mapValues { $0.map(\.price) }
      #expect(prices.values.allSatisfy { $0.count == 1 })
      guard case .success(let outcome) = result else {
        #expect(prices == ["a": [1]])
        return (try result.get().count, [:])
      }
      return (outcome.count, prices.compactMapValues(\.first))
    }
  }

  private static let rows: [(String, Double)] = [("b", 2), ("b", 3), ("a", 4), ("a", 5), ("c", 6)]

  @Test(arguments: StoreKind.allCases)
  func theFirstOfSeveralStaysWhereTakenValuesAreSkipped(in kind: StoreKind) throws {
    let (count, prices) = try insert(kind, .skip, Self.rows)
    #expect(prices == ["a": 1, "b": 2, "c": 6])
    #expect(count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func theLastOfSeveralWinsWhereTakenValuesUpdate(in kind: StoreKind) throws {
    let (_, prices) = try insert(kind, .update, Self.rows)
    #expect(prices == ["a": 5, "b": 3, "c": 6])
  }

  @Test(arguments: StoreKind.allCases)
  func severalFailWhereTakenValuesFail(in kind: StoreKind) throws {
    #expect(throws: StoreError.self) { try insert(kind, .fail, [("b", 2), ("b", 3)]) }
  }
}
