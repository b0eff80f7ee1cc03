// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What the tests and issues of other projects ask of a migration, asked here: CoreStore, GRDB, Rails' adapter for
/// SQLite, EF Core, MagicalRecord, encrypted-core-data. This file asks about entities and attributes.
@Suite struct MigrationsOfOthersTests {
  private let dog = entity("Dog", text("name"))

  private func dogs(_ names: String...) throws -> OtherStore {
    try OtherStore(dog) { context throws in
      for name in names { try context.add("Dog", ["name": .string(name)]) }
    }
  }

  // MARK: - CoreStore

  @Test func anEntityIsAdded() throws {
    let store = try dogs("Rex", "Bo")
    try store.open(dog, entity("Cat", text("name"))) { context throws in
      #expect(try context.valuesByKey("Dog", "name") == ["Rex", "Bo"])
      try context.add("Cat", ["name": "Tom"])
    }
    #expect(try store.texts("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["Cat", "Dog"])
  }

  @Test func aRenamedAttributeIsFoundThoughAnotherTakesItsName() throws {
    let store = try dogs("Rex")
    try store.open(entity("Dog", text("name"), text("nick", was: "name"))) { context throws in
      #expect(try context.valuesByKey("Dog", "nick") == ["Rex"])
      #expect(try context.valuesByKey("Dog", "name") == [.null])
    }
  }

  @Test func anIdentifierThatNothingHadFallsBackToTheName() throws {
    let store = try dogs("Rex")
    try store.open(entity("Dog", text("name", was: "title"))) { context throws in
      #expect(try context.valuesByKey("Dog", "name") == ["Rex"])
    }
  }

  @Test func twoAttributesExchangeTheirNames() throws {
    let store = try OtherStore(entity("Dog", text("a"), text("b"))) {
      try $0.add("Dog", ["a": "1", "b": "2"])
    }
    // The hash is that of the first version, so the model must say that it is another one.
    try store.open(
      entity("Dog", text("a", was: "b"), text("b", was: "a")) { $0.versionHashModifier = "2" }
    ) { context throws in
      #expect(try context.valuesByKey("Dog", "a") == ["2"])
      #expect(try context.valuesByKey("Dog", "b") == ["1"])
    }
  }

  @Test func fourVersionsFollowEachOther() throws {
    let store = try dogs("Rex")
    let later = [
      entity("Dog", text("name"), attribute("age", .integer16, required: 3)),
      entity("Hound", text("name"), attribute("age", .integer32, required: 3)) {
        $0.renamingIdentifier = "Dog"
      },
      entity("Hound", text("call", was: "name"), attribute("age", .string, required: "0")),
    ]
    for version in later {
      try store.open(version) { context throws in
        #expect(try context.allByKey(version.name).count == 1)
      }
    }
    try store.open(later[2]) { context throws in
      #expect(try context.valuesByKey("Hound", "call") == ["Rex"])
      #expect(try context.valuesByKey("Hound", "age") == ["3"])
    }
  }

  @Test func versionsInBetweenTellWhatWasRenamedTwice() throws {
    let store = try dogs("Rex")
    let second = try ManagedObjectModel(entities: [entity("Dog", text("call", was: "name"))])
    let third = try ManagedObjectModel(entities: [entity("Dog", text("nick", was: "call"))])
    try store.change(third, through: [store.model, second]) { context throws in
      #expect(try context.valuesByKey("Dog", "nick") == ["Rex"])
    }
  }

  @Test func aStoreOfALaterVersionIsRefused() throws {
    let store = try dogs("Rex")
    try store.open(entity("Dog", text("name"), text("nick"))) { _ in }
    let error = try store.refusal(dog)
    guard case .incompatibleModel? = error?.code else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(error?.detail.contains("later") == true, "\(error?.detail ?? "")")
  }

  @Test func aRenamedEntityKeepsItsKeys() throws {
    let store = try dogs("Rex", "Bo")
    let before = try store.texts("SELECT Z_PK || ZNAME FROM ZDOG ORDER BY 1")
    try store.open(entity("Hound", text("name")) { $0.renamingIdentifier = "Dog" }) { _ in }
    #expect(try store.texts("SELECT Z_PK || ZNAME FROM ZHOUND ORDER BY 1") == before)
  }

  @Test func anObjectAfterwardsGetsANewKey() throws {
    let store = try dogs("Rex", "Bo")
    try store.change(store.model) { context throws in context.delete(try context.allByKey("Dog")[1])
    }
    try store.open(entity("Hound", text("name")) { $0.renamingIdentifier = "Dog" }) {
      try $0.add("Hound", ["name": "New"])
    }
    #expect(try store.texts("SELECT Z_PK FROM ZHOUND WHERE ZNAME = 'New'") == ["3"])
  }

  // MARK: - Rails

  @Test func anIndexFollowsItsRenamedAttribute() throws {
    let store = try OtherStore(
      entity("Dog", text("name"), text("code")) {
        $0.indexes = [.init("byName", on: "name"), .init("byBoth", on: "name", "code")]
      })
    try store.open(
      entity("Dog", text("call", was: "name"), text("code")) {
        $0.indexes = [.init("byName", on: "call"), .init("byBoth", on: "call", "code")]
      }
    ) { _ in }
    let texts = try store.texts(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND name LIKE '%by%' ORDER BY name")
    #expect(texts.count == 2 && texts.allSatisfy { $0.contains("ZCALL") && !$0.contains("ZNAME") })
  }

  @Test func theIndexOfARemovedAttributeGoesAndOthersStay() throws {
    let store = try OtherStore(
      entity("Dog", text("name"), text("code")) {
        $0.indexes = [.init("byName", on: "name"), .init("byCode", on: "code")]
      })
    try store.open(entity("Dog", text("code")) { $0.indexes = [.init("byCode", on: "code")] }) {
      _ in
    }
    let names = try store.texts(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE '%by%'")
    #expect(names == ["Z_Dog_byCode"])
  }

  @Test func anotherDefaultChangesNoRow() throws {
    let first = entity("Dog", attribute("age", .integer16, required: 1))
    let store = try OtherStore(first) { try $0.add("Dog") }
    try store.open(entity("Dog", attribute("age", .integer16, required: 2))) { context throws in
      #expect(try context.valuesByKey("Dog", "age") == [1])
      #expect(try context.add("Dog")["age"] == 2)
    }
  }

  @Test func aRequiredAttributeFillsWhatIsMissing() throws {
    let store = try OtherStore(dog) { context throws in
      try context.add("Dog", ["name": "Rex"])
      try context.add("Dog")
    }
    try store.open(entity("Dog", attribute("name", .string, required: "nobody"))) {
      context throws in
      #expect(try context.valuesByKey("Dog", "name") == ["Rex", "nobody"])
    }
  }

  @Test func aRequiredAttributeWithoutDefaultIsRefused() throws {
    let store = try OtherStore(dog) { context throws in
      try context.add("Dog", ["name": "Rex"])
      try context.add("Dog")
    }
    let problems = try store.problems(entity("Dog", attribute("name", .string, required: .null)))
    #expect(problems.map(\.kind) == [.missingValue])
    #expect(problems.first?.count == 1)
    #expect(problems.first?.keys == [2])
  }

  @Test func aNewAttributeHasItsDefaultInEveryRow() throws {
    let store = try dogs("Rex", "Bo")
    var optional = attribute("mood", .string)
    optional.defaultValue = "fine"
    try store.open(
      entity("Dog", text("name"), optional, attribute("isGood", .boolean, required: true))
    ) { context throws in
      #expect(try context.valuesByKey("Dog", "mood") == ["fine", "fine"])
      #expect(try context.valuesByKey("Dog", "isGood") == [true, true])
    }
  }

  @Test func textsBecomeNumbersAndBack() throws {
    let store = try OtherStore(entity("Dog", text("age"))) { context throws in
      for age in ["1", "-20", "32767"] { try context.add("Dog", ["age": .string(age)]) }
    }
    try store.open(entity("Dog", attribute("age", .integer16))) { context throws in
      #expect(try context.valuesByKey("Dog", "age") == [1, -20, 32767])
    }
    try store.open(entity("Dog", text("age"), text("name"))) { context throws in
      #expect(try context.valuesByKey("Dog", "age") == ["1", "-20", "32767"])
    }
  }

  @Test func aTextThatIsNoNumberIsNamed() throws {
    let store = try OtherStore(entity("Dog", text("age"))) { context throws in
      for age in ["1", "old", " 2", "3.0"] { try context.add("Dog", ["age": .string(age)]) }
    }
    let problems = try store.problems(entity("Dog", attribute("age", .integer16)))
    #expect(problems.map(\.kind) == [.inconvertibleValue])
    #expect(problems.first?.count == 3)
    #expect(problems.first?.keys == [2, 3, 4])
    #expect(problems.first?.property == "age")
    #expect(try store.texts("SELECT ZAGE FROM ZDOG") == ["1", "old", " 2", "3.0"])
  }

  @Test func bytesWithEveryValueSurviveANewTable() throws {
    let bytes = Data((0...255).map { UInt8($0) })
    let store = try OtherStore(
      entity("Dog", attribute("photo", .binary), attribute("age", .integer16), text("note"))
    ) { context throws in
      try context.add("Dog", ["photo": .data(bytes), "age": 3, "note": "a'b\"c\u{0}d\n"])
    }
    try store.open(entity("Dog", attribute("photo", .binary), text("age"), text("note"))) {
      context throws in
      #expect(try context.valuesByKey("Dog", "photo") == [.data(bytes)])
      #expect(try context.valuesByKey("Dog", "note") == ["a'b\"c\u{0}d\n"])
      #expect(try context.valuesByKey("Dog", "age") == ["3"])
    }
  }

  @Test func wordsOfSQLAreNames() throws {
    let store = try OtherStore(
      entity("Order", text("select"), attribute("index", .integer16), text("from"))
    ) { try $0.add("Order", ["select": "a", "index": 4, "from": "b"]) }
    try store.open(
      entity("Group", text("table", was: "select"), text("index"), text("from")) {
        $0.renamingIdentifier = "Order"
      }, entity("Order", text("where"))
    ) { context throws in
      #expect(try context.valuesByKey("Group", "table") == ["a"])
      #expect(try context.valuesByKey("Group", "index") == ["4"])
      #expect(try context.allByKey("Order").isEmpty)
    }
  }

  @Test func entitiesExchangeTheirNames() throws {
    let store = try OtherStore(dog, entity("Cat", text("name"))) { context throws in
      try context.add("Dog", ["name": "Rex"])
      try context.add("Cat", ["name": "Tom"])
    }
    try store.open(
      entity("Dog", text("name")) {
        $0.renamingIdentifier = "Cat"
        $0.versionHashModifier = "2"
      },
      entity("Cat", text("name")) { $0.renamingIdentifier = "Dog" }
    ) { context throws in
      #expect(try context.valuesByKey("Dog", "name") == ["Tom"])
      #expect(try context.valuesByKey("Cat", "name") == ["Rex"])
    }
  }

  @Test func equalValuesAreListedBeforeTheyMustDiffer() throws {
    let store = try dogs("Rex", "Bo", "Rex", "Rex")
    let problems = try store.problems(
      entity("Dog", text("name")) { $0.uniquenessConstraints = [["name"]] })
    #expect(problems.map(\.kind) == [.duplicates])
    #expect(problems.first?.keys.isEmpty == false)
    #expect(try store.texts("SELECT COUNT(*) FROM ZDOG") == ["4"])
  }

  // MARK: - EF Core

  @Test func anAttributeMovesToTheParent() throws {
    let animal = entity("Animal", text("kind"))
    let store = try OtherStore(
      animal, entity("Dog", text("name")) { $0.superentityName = "Animal" },
      entity("Cat", text("claws")) { $0.superentityName = "Animal" }
    ) { context throws in
      try context.add("Dog", ["kind": "d", "name": "Rex"])
      try context.add("Cat", ["kind": "c", "claws": "long"])
    }
    try store.open(
      entity("Animal", text("kind"), text("name")), entity("Dog") { $0.superentityName = "Animal" },
      entity("Cat", text("claws")) { $0.superentityName = "Animal" }
    ) { context throws in
      #expect(try context.valuesByKey("Animal", "name") == ["Rex", .null])
      #expect(try context.valuesByKey("Cat", "claws") == ["long"])
    }
  }

  @Test func anEntityGetsAParent() throws {
    let store = try OtherStore(dog, entity("Cat", text("name"))) { context throws in
      try context.add("Dog", ["name": "Rex"])
      try context.add("Cat", ["name": "Tom"])
    }
    try store.open(
      entity("Animal", text("name")), entity("Dog") { $0.superentityName = "Animal" },
      entity("Cat") { $0.superentityName = "Animal" }
    ) { context throws in
      let names = try context.valuesByKey("Animal", "name")
      #expect(names.count == 2 && Set(names) == ["Rex", "Tom"])
      #expect(try context.valuesByKey("Dog", "name") == ["Rex"])
      #expect(try context.valuesByKey("Cat", "name") == ["Tom"])
      try context.add("Cat", ["name": "New"])
    }
  }

  @Test func bytesDoNotBecomeTexts() throws {
    let store = try OtherStore(entity("Dog", attribute("photo", .binary))) {
      try $0.add("Dog", ["photo": .data(Data([65]))])
    }
    let problems = try store.problems(entity("Dog", text("photo")))
    #expect(problems.map(\.kind) == [.inconvertibleType])
    #expect(problems.first?.sentence.contains("custom") == true, "\(problems)")
  }

  @Test func aRemovedAttributeIsToldAsALoss() throws {
    let store = try OtherStore(entity("Dog", text("name"), text("nick"))) { context throws in
      try context.add("Dog", ["name": "Rex", "nick": "R"])
      try context.add("Dog", ["name": "Bo"])
    }
    let forecast = try store.forecast(dog)
    #expect(forecast.losses == [.init(entity: "Dog", property: "nick", count: 1)])
    #expect(forecast.problems.isEmpty)
    #expect(try store.texts("SELECT COUNT(ZNICK) FROM ZDOG") == ["1"])
  }

  @Test func aRemovedEntityIsToldAsALoss() throws {
    let store = try OtherStore(dog, entity("Cat", text("name"))) { context throws in
      for _ in 0..<3 { try context.add("Cat") }
    }
    #expect(try store.forecast(dog).losses == [.init(entity: "Cat", count: 3)])
    try store.open(dog) { _ in }
    #expect(try store.texts("SELECT name FROM sqlite_master WHERE name = 'ZCAT'") == [])
  }

  // MARK: - MagicalRecord, encrypted-core-data

  @Test func newRequiredAttributesWithIndexesAndBoundsAreAdded() throws {
    let store = try dogs("Rex")
    var bounded = attribute("level", .integer16, required: 0)
    bounded.validation.minimum = 0
    bounded.validation.maximum = 2
    try store.open(
      entity("Dog", text("name"), attribute("isOld", .boolean, required: false), bounded) {
        $0.indexes = [.init("byAge", on: "isOld")]
      }
    ) { context throws in
      #expect(try context.valuesByKey("Dog", "level") == [0])
      #expect(
        try context.fetch(FetchRequest("Dog", where: FetchPredicate(format: "isOld == NO"))).count
          == 1)
    }
  }

  /// What no version hash knows is no reason to write the store.
  @Test func aModelWithEqualHashesChangesNothing() throws {
    let store = try dogs("Rex")
    let before = try store.rows("SELECT * FROM Z_METADATA")
    let other = entity("Dog", text("name")) { $0.userInfo = ["a": "b"] }
    try store.open(other) { context throws in
      #expect(try context.valuesByKey("Dog", "name") == ["Rex"])
    }
    #expect(try store.rows("SELECT * FROM Z_METADATA") == before)
  }

  @Test func aHashModifierAloneMigratesAndChangesNoRow() throws {
    let store = try dogs("Rex")
    try store.open(entity("Dog", text("name")) { $0.versionHashModifier = "2" }) { context throws in
      #expect(try context.valuesByKey("Dog", "name") == ["Rex"])
    }
    var options = SQLiteStoreOptions()
    options.migration = .off
    guard case .incompatibleModel? = try store.refusal(dog, options: options)?.code else {
      Issue.record("The older model opens the store.")
      return
    }
  }
}
