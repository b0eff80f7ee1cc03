// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// A model that is pinned in source is compared with what it was.
@Suite struct VersionLockTests {
  private func model(
    _ change: (inout [EntityDescription]) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    photo.versionHashModifier = "a, b: c"
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = [
      AttributeDescription("y", .double), AttributeDescription("x", .double, isOptional: true),
    ]
    var count = AttributeDescription("count", .integer64, isOptional: true)
    count.derivationExpression = "pets.@count"
    var entities = [
      EntityDescription(
        "Pet", attributes: [AttributeDescription("age", .integer16), photo, place],
        relationships: [.toOne("owner", "Owner", inverse: "pets")], isAbstract: true,
        uniquenessConstraints: [["age"]]),
      EntityDescription(
        "Owner", attributes: [count],
        relationships: [.toMany("pets", "Pet", inverse: "owner", isOrdered: true)]),
      EntityDescription("Dog", superentityName: "Pet"), EntityDescription("Void"),
    ]
    change(&entities)
    return try ManagedObjectModel(entities: entities)
  }

  private static let lock = VersionLock([
    "Dog 2d82cce9cbff6e6d in Pet:",
    "Owner 3bb7a06eb7c5f8bd: count derived(count:(pets)), pets ->>Pet? ordered inverse owner",
    "Pet 5bd5fbd2a6ef2f4b abstract unique(age): age Integer16, owner ->Owner? inverse pets,"
      + " photo Binary? external modifier(a%2c%%20%b:%20%c), place {x Double?; y Double}",
    "Void 0000000000000000:",
  ])

  private func differences(
    _ change: (inout [EntityDescription]) -> Void
  ) throws -> [String] {
    let lock = VersionLock(of: try model())
    let changed = try model(change)
    let error = #expect(throws: VersionLockError.self) { try lock.check(changed) }
    #expect(error?.lock == VersionLock(of: changed))
    return error?.differences ?? []
  }

  @Test func aModelFitsItsLock() throws {
    let model = try model()
    let lock = VersionLock(of: model)
    try lock.check(model)
    try VersionLock(lock.lines.reversed()).check(model)
    // The parts that hashes leave out are not locked.
    try lock.check(try self.model { $0[0].attributes[0].defaultValue = 5 })
    try lock.check(try self.model { $0.reverse() })
  }

  @Test func aLineSaysWhatTheHashIsMadeOf() throws {
    func withoutHash(_ line: String) -> String {
      var words = line.split(separator: " ", maxSplits: 2).map(String.init)
      #expect(words[1].prefix(16).allSatisfy { $0.isHexDigit })
      words[1].removeFirst(16)
      return words.joined(separator: " ")
    }
    let lines = VersionLock(of: try model()).lines
    #expect(lines.map(withoutHash) == Self.lock.lines.map(withoutHash))
  }

  @Test func withoutALockItIsPrinted() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("a", .string)])
    ])
    let error = #expect(throws: VersionLockError.self) { try VersionLock([]).check(model) }
    #expect(error?.differences == [])
    let hash = try #require(model.entityVersionHashesByName["A"]).prefix(8).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
    #expect(
      error?.description == """
        The model has no lock yet. Paste this one:

        VersionLock([
          "A \(hash): a String",
        ])

        """)
    #expect(VersionLock([]).source == "VersionLock([])")
  }

  @Test func differencesAreNamed() throws {
    let found = try differences { entities in
      entities[0].attributes[0].type = .integer32
      entities[0].attributes.removeLast()
      entities[0].isAbstract = false
      entities[1].attributes.append(AttributeDescription("name", .string))
      entities.removeLast()
      entities.append(EntityDescription("New"))
    }
    #expect(
      found == [
        "Dog has another version hash, because an entity that it inherits from has one.",
        "New is a new entity.", "Owner.name is new: String.",
        "Pet: what the entity itself says changes from abstract unique(age) to unique(age).",
        "Pet.age changes from Integer16 to Integer32.", "Pet.place is gone.", "Void is gone.",
      ])
  }

  @Test func linesThatCannotBeReadAreNamed() throws {
    let model = try model()
    for line in ["", "Pet", "Pet 12", ": a", "Owner: a String"] {
      let lock = VersionLock(VersionLock(of: model).lines + [line])
      let error = #expect(throws: VersionLockError.self) { try lock.check(model) }
      #expect(
        error?.differences.contains { $0.contains("cannot be read") } == true, "\(line)")
    }
    let lines = VersionLock(of: model).lines
    let error = #expect(throws: VersionLockError.self) {
      try VersionLock(lines + lines).check(model)
    }
    #expect(error?.differences.first == "The lock has two lines for Dog.")
  }

  @Test func theSourceIsThatOfTheLock() throws {
    #expect(
      VersionLock(["a \"b\"", "c"]).source == "VersionLock([\n  \"a \\\"b\\\"\",\n  \"c\",\n])")
  }
}
