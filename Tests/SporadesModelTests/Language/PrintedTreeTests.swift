// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import Testing

@Suite struct PrintedTreeTests {
  @Test func readingAPrintedTreeGivesTheSameTree() throws {
    for seed in UInt64(0)..<4_000 {
      var tree = RandomTree(seed: seed)
      let predicate = tree.predicate()
      let format = predicate.predicateFormat
      #expect(try FetchPredicate(format: format) == predicate, "seed \(seed): \(format)")
    }
  }

  /// Equal trees have equal answers: nothing in them differs that a comparison, a cast or a power could tell.
  @Test func treesWithValuesThatDifferAreNotEqual() {
    let pairs: [(Value, Value)] = [
      ("\u{E9}", "e\u{301}"), (.double(0.0), .double(-0.0)), (.integer(1), .double(1)),
      (.integer(1), .boolean(true)),
      (
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: -0.0))
      ),
      (.list(["\u{E9}"]), .list(["e\u{301}"])),
    ]
    for (left, right) in pairs {
      #expect(left != right)
      #expect(FetchPredicate.equals("name", left) != .equals("name", right))
    }
    let odd: [Value] = [
      .double(.nan), .decimal(.nan), .date(Date(timeIntervalSinceReferenceDate: .nan)),
    ]
    for value in odd {
      #expect(value == value)
      #expect(Set([value, value]).count == 1)
    }
    #expect(Value.double(.nan) == .double(-.nan))
    #expect(Value.null.isNull && !Value.double(.nan).isNull)
  }

  @Test(arguments: ["9007199254740993.5", "-0.1234567890123456789", "12345678901234567.25"])
  func aLiteralThatNoDoubleKeepsIsADecimal(text: String) throws {
    let expected = FetchExpression.constant(.decimal(try #require(Decimal(string: text))))
    let read = try FetchExpression(format: text)
    #expect(read == expected)
    #expect(try FetchExpression(format: "\(read)") == read)
  }

  @Test(arguments: ["0.1", "1e22", "3.141592653589793", "0.10000000000000000", "-2.5"])
  func aLiteralThatADoubleKeepsIsADouble(text: String) throws {
    #expect(try FetchExpression(format: text) == .constant(.double(Double(text) ?? 0)))
  }

  @Test func theIDOfAnObjectIsReadWhileItsStoreIsOpen() throws {
    let scope = StoreScope(identifier: "PRINTED-TREE", entityNames: ["Person", "Pet"])
    let id = ManagedObjectID(key: RowKey(entity: 2, primaryKey: 12), scope: scope)
    let predicate = FetchPredicate.comparison(.init(.subject, .equal, .constant(.objectID(id))))
    #expect(
      predicate.predicateFormat
        == "SELF == CAST(\"x-coredata://PRINTED-TREE/Pet/p12\", \"NSManagedObjectID\")")
    #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
    _ = StoreScope(identifier: "PRINTED-TREE", entityNames: ["Pet"])
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: predicate.predicateFormat)
    }
  }

  @Test(arguments: ["NONE/Pet/p12", "/Pet/tA", "NONE/Pet/p-1", "NONE/p1", "NONE/Pet/p0", ""])
  func anIDOfNoOpenStoreIsRefused(uri: String) {
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: "SELF == CAST('x-coredata://\(uri)', 'NSManagedObjectID')")
    }
  }
}
