// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Code for rows, beside every change that the two models tell.
@Suite struct RowMigrationTests {
  private typealias Change = (inout EntityDescription, inout EntityDescription) -> Void

  private func attribute(
    _ name: String, _ type: AttributeType = .string, was former: String? = nil
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, type, isOptional: true)
    attribute.renamingIdentifier = former
    return attribute
  }

  private func model(_ change: Change = { _, _ in }) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities(change))
  }

  private func entities(_ change: Change) -> [EntityDescription] {
    var pet = EntityDescription(
      "Pet",
      attributes: [attribute("name"), attribute("mail"), attribute("age")],
      relationships: [.toOne("owner", "Person", inverse: "pets")])
    var person = EntityDescription(
      "Person", attributes: [attribute("name")],
      relationships: [.toMany("pets", "Pet", inverse: "owner", isOrdered: true)])
    change(&pet, &person)
    return [pet, person]
  }

  /// Three pets of one owner, whose links are in the order c, a, b. Two pets share their mail.
  private func store(
    _ old: ManagedObjectModel? = nil, to new: ManagedObjectModel
  ) throws -> MigratedStore {
    try MigratedStore(from: old ?? model(), to: new) { context in
      let pets = try [("a", "same", "1"), ("b", "same", "x"), ("c", "other", "3")].map {
        try context.make(
          "Pet", ["name": .string($0.0), "mail": .string($0.1), "age": .string($0.2)])
      }
      let person = try context.make("Person", ["name": "p"])
      person.setObjects([pets[2], pets[0], pets[1]], forKey: "pets")
    }
  }

  private func migrate(
    _ store: MigratedStore, _ entity: String = "Pet",
    _ body: @escaping @Sendable (MigratedRow) throws -> Void
  ) throws -> DataStack {
    try migrate(store, [RowWork(entity, body)])
  }

  private func migrate(_ store: MigratedStore, _ work: [RowWork]) throws -> DataStack {
    var store = store
    store.options.migrationPlan = MigrationPlan([.rows(from: store.old, to: store.new, work)])
    return try store.migrate()
  }

  private func values(
    _ stack: DataStack, _ names: String..., of entity: String = "Pet"
  ) throws -> [[Value]] {
    var all: [[Value]] = []
    try stack.look { context in
      all = try context.all(entity).map { object in names.map { object[$0] } }
    }
    try stack.store.close()
    return all
  }

  /// The age becomes a number, so that the table is written again.
  private static func age(_ pet: inout EntityDescription) {
    pet.attributes[2] = AttributeDescription("age", .integer32, isOptional: true)
  }

  private static let readAge: @Sendable (MigratedRow) throws -> Void = { row in
    guard case .string(let text) = row.old["age"] else { return }
    row["age"] = Int64(text).map { .integer($0) } ?? .null
  }

  // MARK: - Renamings in tables that are written again

  @Test(arguments: [false, true])
  func renamedAttributesAreRead(isRewritten: Bool) throws {
    let new = try model { pet, _ in
      pet.attributes[1] = self.attribute("email", was: "mail")
      if isRewritten { Self.age(&pet) } else { pet.attributes.append(self.attribute("note")) }
    }
    let stack = try migrate(store(to: new)) { row in
      guard row["email"] == row.old["mail"], case .string(let name) = row.old["name"] else {
        throw CocoaError(.featureUnsupported)
      }
      row["email"] = .string("\(name)@home")
      if isRewritten { try Self.readAge(row) } else { row["note"] = row.old["mail"] }
    }
    let last: [Value] = isRewritten ? [1, .null, 3] : ["same", "same", "other"]
    #expect(
      try values(stack, "email", isRewritten ? "age" : "note")
        == zip(["a@home", "b@home", "c@home"], last).map { [.string($0), $1] })
  }

  @Test(arguments: [false, true])
  func exchangedNamesAreRead(isRewritten: Bool) throws {
    let new = try model { pet, _ in
      pet.versionHashModifier = "2"
      pet.attributes[0] = self.attribute("name", was: "mail")
      pet.attributes[1] = self.attribute("mail", was: "name")
      if isRewritten { Self.age(&pet) }
    }
    let stack = try migrate(store(to: new)) { row in
      guard row["mail"] == row.old["name"], row["name"] == row.old["mail"] else {
        throw CocoaError(.featureUnsupported)
      }
      if isRewritten { try Self.readAge(row) }
    }
    var pairs: [Value: Value] = [:]
    for row in try values(stack, "mail", "name") { pairs[row[0]] = row[1] }
    #expect(pairs == ["a": "same", "b": "same", "c": "other"])
  }

  @Test(arguments: [false, true])
  func aRenamedEntityWithRenamedLinksIsRead(isRewritten: Bool) throws {
    let new = try model { pet, person in
      pet.name = "Animal"
      pet.renamingIdentifier = "Pet"
      pet.attributes[1] = self.attribute("email", was: "mail")
      pet.relationships = [.toOne("keeper", "Person", inverse: "animals")]
      pet.relationships[0].renamingIdentifier = "owner"
      person.relationships = [.toMany("animals", "Animal", inverse: "keeper", isOrdered: true)]
      person.relationships[0].renamingIdentifier = "pets"
      if isRewritten { Self.age(&pet) }
    }
    let stack = try migrate(store(to: new), "Animal") { row in
      row["email"] = row.old["name"]
      if isRewritten { try Self.readAge(row) }
    }
    try stack.look { context in
      let person = try context.all("Person")[0]
      #expect(person.objects(forKey: "animals").map { $0["email"] } == ["c", "a", "b"])
    }
    #expect(try values(stack, "email", of: "Animal") == [["a"], ["b"], ["c"]])
  }

  @Test(arguments: [false, true])
  func anAttributeThatMovesIntoACompositeIsRead(isRewritten: Bool) throws {
    let new = try model { pet, _ in
      var contact = AttributeDescription("contact", .composite, isOptional: true)
      contact.elements = [self.attribute("mail", was: "mail"), self.attribute("phone")]
      pet.attributes[1] = contact
      if isRewritten { Self.age(&pet) }
    }
    let stack = try migrate(store(to: new)) { row in
      guard row["contact.mail"] == row.old["mail"] else {
        throw CocoaError(.featureUnsupported)
      }
      row["contact.phone"] = row.old["name"]
      if isRewritten { try Self.readAge(row) }
    }
    #expect(
      try values(stack, "contact")
        == [
          [.list(["same", "a"])], [.list(["same", "b"])], [.list(["other", "c"])],
        ])
  }

  @Test func tablesThatComeTogetherAreRead() throws {
    let both = entities { pet, person in
      pet.superentityName = "Being"
      person.superentityName = "Being"
      pet.attributes = [self.attribute("email", was: "mail"), self.attribute("age")]
      Self.sharedAge(&pet)
      person.attributes = []
    }
    let being = EntityDescription("Being", attributes: [attribute("name")], isAbstract: true)
    let store = try store(to: ManagedObjectModel(entities: both + [being]))
    let stack = try migrate(store) { row in
      row["email"] = row.old["name"]
      try Self.readAge(row)
    }
    #expect(try values(stack, "email", "age") == [["a", 1], ["b", .null], ["c", 3]])
  }

  private static func sharedAge(_ pet: inout EntityDescription) {
    pet.attributes[1] = AttributeDescription("age", .integer32, isOptional: true)
  }

  // MARK: - What follows the values

  @Test func workForARowRunsInItsOrder() throws {
    let new = try model { pet, _ in pet.attributes.append(self.attribute("note")) }
    let work = [
      RowWork("Pet") { $0["name"] = .string("1") },
      RowWork("Pet") { row in
        guard case .string(let now) = row["name"], case .string(let former) = row.old["name"]
        else { return }
        row["note"] = .string(former + now)
      },
    ]
    let notes = try values(migrate(store(to: new), work), "note").map { $0[0] }
    #expect(Set(notes) == ["a1", "b1", "c1"])
  }

  @Test func derivedAttributesAndAreasFollow() throws {
    func upkeep(_ pet: inout EntityDescription) {
      var derived = attribute("big")
      derived.derivationExpression = "uppercase:(name)"
      pet.attributes += [derived, attribute("x", .double), attribute("y", .double)]
      pet.indexes = [
        FetchIndexDescription(
          "place", [.init("x", collation: .rTree), .init("y", collation: .rTree)])
      ]
    }
    let old = try model { pet, _ in upkeep(&pet) }
    let new = try model { pet, _ in
      upkeep(&pet)
      pet.attributes.append(self.attribute("note"))
    }
    let stack = try migrate(store(old, to: new)) { row in
      if case .string(let name) = row["name"] { row["name"] = .string(name + name) }
      (row["x"], row["y"]) = (5, 6)
    }
    let path = try #require(stack.store.path)
    #expect(try values(stack, "name", "big") == [["aa", "AA"], ["bb", "BB"], ["cc", "CC"]])
    #expect(
      try PlainStore(path).rows("SELECT COUNT(*) FROM Z_Pet_place WHERE ZX_MIN > 4 AND ZY_MAX > 5")
        == [[.integer(3)]])
  }

  // MARK: - Uniqueness

  @Test(arguments: [false, true])
  func duplicatesAreLeftToTheCode(isRewritten: Bool) throws {
    let new = try model { pet, _ in
      pet.uniquenessConstraints = [["mail"]]
      if isRewritten { Self.age(&pet) } else { pet.attributes.append(self.attribute("note")) }
    }
    let store = try store(to: new)
    let before = try store.plain().contents()
    let error = #expect(throws: StoreError.self) {
      try migrate(store) { if isRewritten { $0["age"] = .null } }
    }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.duplicates])
    #expect(problems.first?.count == 2 && problems.first?.keys == [1, 2])
    #expect(error?.description.contains("after the migration's code ran") == true)
    #expect(try store.plain().contents() == before)
    let stack = try migrate(store) { row in
      if row.old["name"] == "b" { row["mail"] = .null }
      if isRewritten { row["age"] = .null }
    }
    #expect(try values(stack, "mail") == [["same"], [.null], ["other"]])
  }

  /// Equal values in the middle of the work do no harm to a constraint that both versions have.
  @Test func uniqueValuesCanMoveFromRowToRow() throws {
    let old = try model { pet, _ in pet.uniquenessConstraints = [["name"]] }
    let new = try model { pet, _ in
      pet.uniquenessConstraints = [["name"]]
      pet.attributes.append(self.attribute("note"))
    }
    let store = try store(old, to: new)
    let stack = try migrate(store) { row in
      let next: [Value: Value] = ["a": "b", "b": "c", "c": "a"]
      row["name"] = next[row.old["name"]] ?? .null
      row["note"] = row.old["name"]
    }
    #expect(try values(stack, "name", "note") == [["a", "c"], ["b", "a"], ["c", "b"]])
    let again = try self.store(old, to: new)
    let error = #expect(throws: StoreError.self) { try migrate(again) { $0["name"] = "z" } }
    #expect(error?.description.contains("3 objects of Pet share their name") == true)
  }

  /// The subentity's code makes way for the constraint of its parent.
  @Test func codeForASubentityCanMakeWay() throws {
    func entities(isUnique: Bool) throws -> ManagedObjectModel {
      var pet = EntityDescription(
        "Pet", attributes: [attribute("name"), attribute("mail")])
      if isUnique { pet.uniquenessConstraints = [["mail"]] }
      let cat = EntityDescription(
        "Cat", attributes: isUnique ? [attribute("note")] : [], superentityName: "Pet")
      return try ManagedObjectModel(entities: [pet, cat])
    }
    let store = try MigratedStore(from: entities(isUnique: false), to: entities(isUnique: true)) {
      try $0.make("Pet", ["name": "a", "mail": "m"])
      try $0.make("Cat", ["name": "b", "mail": "m"])
    }
    let stack = try migrate(store, "Cat") { $0["mail"] = "n" }
    #expect(try values(stack, "mail") == [["m"], ["n"]])
  }
}
