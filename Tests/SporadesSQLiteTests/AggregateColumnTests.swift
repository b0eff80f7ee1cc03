// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Aggregates of columns that do not hold what SQLite would add or compare.
@Suite struct AggregateColumnTests {
  private static let model: ManagedObjectModel = {
    var number = AttributeDescription("number", .integer64, isOptional: true)
    var label = AttributeDescription("label", .string, isOptional: true)
    // Xcode lets these be set, and they mean nothing there.
    number.allowsExternalBinaryDataStorage = true
    label.allowsExternalBinaryDataStorage = true
    let entry = EntityDescription(
      "Entry",
      attributes: [number, label, AttributeDescription("money", .decimal, isOptional: true)])
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [entry])
  }()

  private static let shape = model.shape(named: "Entry")!

  private static func slot(_ name: String) -> Int {
    guard case .attribute(let attribute)? = shape[name] else { return -1 }
    return attribute.slot ?? -1
  }

  private static let amounts = ["12345678901234567.89", "0.01", nil, "NaN", "12345678901234567.88"]

  private func filled<Store: PersistentStore>(_ store: Store) throws -> Store {
    var builder = RowPageBuilder(layout: Self.shape.layout)
    for (place, amount) in Self.amounts.enumerated() {
      builder.appendRow(
        RowKey(entity: Self.shape.number, primaryKey: Int64(place + 1)), version: 1)
      builder.set(Self.slot("number"), to: Int64(place))
      builder.set(Self.slot("label"), to: "label \(place)")
      if let amount { builder.set(Self.slot("money"), to: amount) }
    }
    try store.execute(ChangeSet(inserted: [builder.finish()]))
    try store.commit(.eventual)
    return store
  }

  private func stores() throws -> [any PersistentStore] {
    [
      try filled(MemoryStore(model: Self.model)), try filled(SQLiteStore(inMemory: Self.model)),
    ]
  }

  private func decimal(_ digits: String) throws -> Value {
    .decimal(try #require(Decimal(string: digits)))
  }

  @Test func decimalsAreExactHoweverLongTheyAre() throws {
    let all = StoreFetch(Self.shape)
    let two = StoreFetch(Self.shape, sortedBy: [SortTerm("number")], limit: 2)
    for store in try stores() {
      func answer(_ function: AggregateFunction, _ fetch: StoreFetch) throws -> Value {
        try store.aggregate(function, of: ["money"], fetch, in: .accepted)
      }
      #expect(try answer(.sum, two) == decimal("12345678901234567.90"))
      #expect(try answer(.average, two) == decimal("6172839450617283.95"))
      #expect(try answer(.max, all) == decimal("12345678901234567.89"))
      #expect(try answer(.min, all) == decimal("0.01"))
      #expect(try answer(.sum, all) == decimal("24691357802469135.78"))
      let large = StoreFetch(Self.shape, where: try FetchPredicate(format: "money > 1"))
      #expect(try answer(.min, large) == decimal("12345678901234567.88"))
      let none = StoreFetch(Self.shape, where: .constant(false))
      #expect(try answer(.max, none) == .null)
    }
  }

  @Test func aQuestionMayAskForDecimalsAmongOthers() throws {
    let columns: [FetchExpression] = [
      .aggregate(.max, ["label"]), .aggregate(.sum, ["money"]), .objectCount,
      .aggregate(.average, ["number"]), .aggregate(.min, ["money"]),
    ]
    let all = StoreFetch(Self.shape)
    let two = StoreFetch(Self.shape, sortedBy: [SortTerm("number")], limit: 2)
    let none = StoreFetch(Self.shape, where: .constant(false))
    let (large, small) = (try decimal("12345678901234567.90"), try decimal("0.01"))
    for store in try stores() {
      func row(_ fetch: StoreFetch) throws -> [Value] {
        try store.answer(TableQuestion(fetch, columns), in: .accepted).rows[0]
      }
      #expect(
        try row(all) == ["label 4", decimal("24691357802469135.78"), 5, 2.0, small])
      #expect(try row(two) == ["label 1", large, 2, 0.5, small])
      #expect(try row(none) == [.null, .null, 0, .null, .null])
    }
  }

  @Test func aColumnThatHoldsNoDecimalIsToldByName() throws {
    let store = try filled(SQLiteStore(inMemory: Self.model))
    let damage = "UPDATE ZENTRY SET ZMONEY = x'6f6464' WHERE Z_PK = 2"
    unsafe store.withWriter { handle in unsafe sqlite3_exec(handle, damage, nil, nil, nil) }
    for function in [AggregateFunction.min, .max, .sum, .average] {
      let error = #expect(throws: StoreError.self) {
        try store.aggregate(function, of: ["money"], StoreFetch(Self.shape), in: .accepted)
      }
      #expect(error?.code == .corrupt)
      #expect(error?.detail.contains("money") == true)
    }
  }

  @Test func externalStorageOfWhatIsNoDataMeansNothing() throws {
    let all = StoreFetch(Self.shape)
    for store in try stores() {
      #expect(try store.aggregate(.sum, of: ["number"], all, in: .accepted) == .integer(10))
      #expect(try store.aggregate(.max, of: ["label"], all, in: .accepted) == .string("label 4"))
      let named = StoreFetch(Self.shape, where: .equals("label", "label 3"))
      #expect(try store.count(named, in: .accepted) == 1)
    }
  }
}
