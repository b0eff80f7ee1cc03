// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Derived attributes that a migration computes have the values that a save computes.
@Suite struct DerivedMigrationTests {
  private static func derived(
    _ name: String, _ type: AttributeType, _ text: String
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, type, isOptional: true)
    attribute.derivationExpression = text
    return attribute
  }

  private static func attribute(
    _ name: String, _ type: AttributeType, _ value: Value = .null
  ) -> AttributeDescription {
    AttributeDescription(name, type, isOptional: value.isNull, defaultValue: value)
  }

  private func model(
    _ change: (inout EntityDescription, inout EntityDescription) -> Void = { _, _ in }
  ) throws -> ManagedObjectModel {
    var account = EntityDescription(
      "Account", attributes: [Self.attribute("name", .string)],
      relationships: [.toMany("entries", "Entry", inverse: "account")])
    var entry = EntityDescription(
      "Entry",
      attributes: [Self.attribute("name", .string), Self.attribute("amount", .decimal)],
      relationships: [.toOne("account", "Account", inverse: "entries")])
    change(&account, &entry)
    return try ManagedObjectModel(entities: [account, entry])
  }

  private static func digits(_ text: String) -> Value { .decimal(Decimal(string: text) ?? .nan) }

  /// Two hundred entries of one account. As doubles their sum is 986.9999999999999.
  private func store(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel,
    _ amounts: [String] = (1...200).map { "\(Decimal($0 * 137 % 1_000) / 100)" }
  ) throws -> MigratedStore {
    try MigratedStore(from: old, to: new) { context in
      let account = try context.make("Account", ["name": "a"])
      let entries = try amounts.map {
        try context.make("Entry", ["name": .string($0), "amount": Self.digits($0)])
      }
      account.setObjects(entries, forKey: "entries")
    }
  }

  private static func totals(_ account: inout EntityDescription, _ entry: inout EntityDescription) {
    account.attributes += [
      derived("balance", .decimal, "entries.@sum.amount"),
      derived("roughly", .double, "entries.@sum.amount"),
    ]
    entry.attributes.append(derived("whole", .decimal, "account.balance"))
  }

  private func expectWhole(_ store: DataStack, _ total: String) throws {
    try store.look { context throws in
      #expect(try context.values("Account", "balance") == [Self.digits(total)])
      #expect(
        try context.values("Account", "roughly") == [.double(try #require(Double(total)))])
      #expect(Set(try context.values("Entry", "whole")) == [Self.digits(total)])
    }
  }

  @Test(arguments: [false, true])
  func sumsOfDecimalsAreExact(_ hasRowWork: Bool) throws {
    var store = try store(model(), model(Self.totals))
    if hasRowWork {
      store = store.alone
      _ = try SQLiteStore.migrate(
        storeAt: store.url, to: store.new, options: store.options,
        rowWork: [RowWork("Entry") { $0["name"] = "x" }])
    }
    let stack = try store.migrate()
    try expectWhole(stack, "987")
    try stack.look { context throws in
      try context.all("Entry")[0]["amount"] = Self.digits("1000.01")
      try context.save()
      let sum = try context.values("Entry", "amount").reduce(Decimal(0)) { sum, value in
        if case .decimal(let number) = value { sum + number } else { sum }
      }
      #expect(try context.values("Account", "balance") == [.decimal(sum)])
    }
    try stack.store.close()
  }

  /// A double has no place for them.
  @Test func sumsKeepAllTheirDigits() throws {
    let amounts = ["1234567890123456.12", "0.0000000000000001", "-0.02"]
    let stack = try store(model(), model(Self.totals), amounts).migrate()
    let total = "1234567890123456.1000000000000001"
    try stack.look { context throws in
      #expect(try context.values("Account", "balance") == [Self.digits(total)])
      #expect(Set(try context.values("Entry", "whole")) == [Self.digits(total)])
    }
    try stack.store.close()
  }

  @Test func sumsAreComputedAnewWhereTheirSourceChanges() throws {
    let old = try model {
      Self.totals(&$0, &$1)
      $1.attributes.append(Self.attribute("fee", .decimal))
      $0.attributes.append(Self.derived("fees", .decimal, "entries.@sum.fee"))
    }
    let new = try model {
      Self.totals(&$0, &$1)
      $1.attributes.append(Self.attribute("fee", .decimal, Self.digits("0.1")))
      $0.attributes.append(Self.derived("fees", .decimal, "entries.@sum.fee"))
    }
    let stack = try store(old, new).migrate()
    try stack.look { context throws in
      #expect(try context.values("Account", "fees") == [Self.digits("20")])
    }
    try expectWhole(stack, "987")
    try stack.store.close()
  }

  @Test func aMemberOfACompositeIsASource() throws {
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = [Self.attribute("city", .string), Self.attribute("fare", .decimal)]
    let old = try model { $1.attributes.append(place) }
    let new = try model {
      $1.attributes += [place, Self.derived("town", .string, "place.city")]
      $0.attributes.append(Self.derived("fares", .decimal, "entries.@sum.place.fare"))
    }
    let store = try MigratedStore(from: old, to: new) { context in
      let entries = try ["0.1", "0.2"].map { fare in
        let entry = try context.make("Entry", ["name": .string(fare)])
        entry["place.city"] = "Rome"
        entry["place.fare"] = Self.digits(fare)
        return entry
      }
      try context.make("Account", ["name": "a"]).setObjects(entries, forKey: "entries")
    }
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Entry", "town") == ["Rome", "Rome"])
      #expect(try context.values("Account", "fares") == [Self.digits("0.3")])
    }
    try stack.store.close()
  }

  // MARK: - Whole numbers

  private func counting(_ type: AttributeType, _ counts: [Int64]) throws -> MigratedStore {
    let count = Self.attribute("count", .integer64, 0)
    let old = try model { $1.attributes.append(count) }
    let new = try model {
      $1.attributes.append(count)
      $0.attributes.append(Self.derived("counts", type, "entries.@sum.count"))
    }
    return try MigratedStore(from: old, to: new) { context in
      let entries = try counts.map {
        try context.make("Entry", ["name": "a", "count": .integer($0)])
      }
      try context.make("Account", ["name": "a"]).setObjects(entries, forKey: "entries")
    }
  }

  @Test(arguments: [[Int64.max, 5, -10], [Int64.min, -1, 1], [Int64.max], [Int64.min], []])
  func aSumMayExceedItsTypeOnTheWay(_ counts: [Int64]) throws {
    let stack = try counting(.integer64, counts).migrate()
    let sum = counts.reduce(Int128(0)) { $0 + Int128($1) }
    try stack.look { context throws in
      #expect(try context.values("Account", "counts") == [.integer(Int64(sum))])
    }
    try stack.store.close()
  }

  @Test(arguments: [
    (AttributeType.integer64, [Int64.max, 1]), (.integer64, [Int64.min, -1]),
    (.integer32, [Int64(Int32.max), 1]), (.integer16, [-32_768, -1]),
  ])
  func aSumThatItsTypeDoesNotHoldIsRefused(_ type: AttributeType, _ counts: [Int64]) throws {
    let store = try counting(type, counts)
    let image = try store.plain().contents()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: store.url, model: store.new, options: store.options).close()
    }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.property) == ["counts"])
    #expect(problems.map(\.kind) == [.inconvertibleValue])
    #expect(problems.map(\.keys) == [[1]])
    #expect(try store.plain().contents() == image)
  }

  // MARK: - Stages with code

  @Test func aStagesCodeSeesExactTotalsAndChangesThem() throws {
    var store = try store(model(), model(Self.totals))
    let seen = Guarded<[Value]>([])
    store.options.migrationPlan = MigrationPlan([
      .custom(
        from: store.old, to: store.new,
        willMigrate: { try $0.all("Entry")[0]["amount"] = Self.digits("0.01") },
        didMigrate: { context in
          let total = try context.values("Account", "balance")
          seen.withLock { $0 = total }
          try context.all("Entry")[1]["amount"] = Self.digits("0.02")
        })
    ])
    // The objects come in the order of their names, which are texts.
    let names = (1...200).map { "\(Decimal($0 * 137 % 1_000) / 100)" }.sorted()
    let amounts = names.map { Decimal(string: $0) ?? .nan }
    let rest = amounts[2...].reduce(Decimal(0), +)
    let stack = try store.migrate()
    #expect(seen.withLock { $0 } == [.decimal(rest + amounts[1] + Decimal(1) / 100)])
    try expectWhole(stack, "\(rest + Decimal(3) / 100)")
    try stack.store.close()
  }

  // MARK: - Other decimals of a migration

  @Test func aDefaultKeepsAllItsDigits() throws {
    let value = Self.digits("0.12345678901234567890123")
    let new = try model { $1.attributes.append(Self.attribute("rate", .decimal, value)) }
    let stack = try store(model(), new, ["1"]).migrate()
    try stack.look { context throws in
      #expect(try context.values("Entry", "rate") == [value])
    }
    try stack.store.close()
  }

  @Test func aTextOfManyDigitsBecomesADecimal() throws {
    let old = try model { $1.attributes.append(Self.attribute("rate", .string)) }
    let new = try model { $1.attributes.append(Self.attribute("rate", .decimal)) }
    let store = try MigratedStore(from: old, to: new) {
      try $0.make("Entry", ["name": "a", "rate": "1.2345678901234567890123"])
    }
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(
        try context.values("Entry", "rate") == [Self.digits("1.2345678901234567890123")])
    }
    try stack.store.close()
  }

  // MARK: - Files with wrong values

  /// A file that an earlier version of the library migrated.
  @Test func wrongTotalsAreNamedAndComputedAnew() throws {
    let model = try model {
      Self.totals(&$0, &$1)
      $0.attributes.append(Self.derived("number", .integer64, "entries.@count"))
    }
    let store = try store(model, model)
    try store.plain().run("UPDATE ZACCOUNT SET ZBALANCE = 986.9999999999999, ZNUMBER = 7")
    try store.plain().run("UPDATE ZENTRY SET ZWHOLE = 986.9999999999999")
    let stack = DataStack(store: try SQLiteStore(url: store.url, model: model))
    let problems = try stack.store.integrityProblems()
    #expect(problems.count == 2)
    for name in ["Account.balance", "Account.number"] {
      #expect(problems.contains { $0.hasPrefix("1 ") && $0.contains(name) }, "\(problems)")
    }
    let other = stack.newContext()
    try other.performAndWait { context throws in
      #expect(try context.values("Account", "balance") == [Self.digits("986.9999999999999")])
    }
    #expect(try stack.renewDerivedValues() == 201)
    try expectWhole(stack, "987")
    try other.performAndWait { context throws in
      #expect(try context.values("Account", "number") == [200])
      #expect(try context.values("Account", "balance") == [Self.digits("987")])
    }
    #expect(try stack.store.integrityProblems() == [])
    #expect(try stack.renewDerivedValues() == 0)
    try stack.store.close()
  }
}
