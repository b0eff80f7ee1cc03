// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import Testing

/// Mistakes after which a sentence sent people looking for another cause, or round in a circle.
@Suite struct SecondThoughtTests {
  @Entity final class Subscriber: ManagedObject {
    @Attribute(.unique) var email: String = ""
    @Attribute(.pattern("@")) var address: String?
    @Attribute(.length(0...5)) var nick: String = ""
    var tags: [String] = []
    var friend: Subscriber?
  }
  @Entity final class House: ManagedObject {
    var any: String = ""
  }
  private static let entities: [ManagedObject.Type] = [Subscriber.self, House.self]

  @Test(arguments: [false, true])
  func twoDefaultsOfAUniqueAttributeAreNamed(isFile: Bool) throws {
    let folder = try TemporaryFolder()
    let stack =
      isFile
      ? try DataStack(
        sqlite: folder.file("a.sqlite"), model: ManagedObjectModel(Self.entities),
        classes: Self.entities)
      : try DataStack(inMemory: Self.entities)
    stack.newContext().performAndWait { context in
      for _ in 0..<2 { Subscriber.create(in: context) }
      let error = #expect(throws: StoreError.self) { try context.save() }
      let text = "\(error as Any)"
      #expect(
        text.contains(
          "An object that sets no email has the default: set it, or make email optional."),
        "\(text)")
    }
  }

  @Test func aPatternIsOfTheWholeText() throws {
    let stack = try DataStack(inMemory: Self.entities)
    stack.newContext().performAndWait { context in
      Subscriber.create(in: context).address = "ann@example.org"
      let error = #expect(throws: ValidationError.self) { try context.save() }
      #expect(
        "\(error as Any)".contains(
          "does not match @ as a whole; for a text that contains it the pattern has .* on both sides."
        ))
    }
  }

  @Test func anObjectThatIsRefusedTwiceIsStillThere() throws {
    let stack = try DataStack(inMemory: Self.entities)
    try stack.newContext().performAndWait { context in
      let advice = "Correct or delete the object, or call rollback(), and save again."
      let long = Subscriber.create(in: context)
      long.nick = "too long"
      let first = #expect(throws: ValidationError.self) { try context.save() }
      #expect(!"\(first as Any)".contains(advice))
      Subscriber.create(in: context).email = "b"
      let second = #expect(throws: ValidationError.self) { try context.save() }
      #expect("\(second as Any)".contains(advice))
      long.delete(in: context)
      try context.save()
      #expect(try Subscriber.count(in: context) == 1)
      // Another object is another mistake.
      Subscriber.create(in: context).nick = "too long, too"
      let third = #expect(throws: ValidationError.self) { try context.save() }
      #expect(!"\(third as Any)".contains(advice))
    }
  }

  // MARK: - Conditions

  @Test(arguments: [
    ("Subscriber", "tags == %@", ["red"] as any Sendable),
    ("Subscriber", "tags != %@", ["red"]), ("Subscriber", "tags IN %@", ["red"]),
    ("Subscriber", "ANY tags == %@", "red"), ("Subscriber", "tags == %@", "red"),
    ("Subscriber", "%@ IN tags", "red"), ("Subscriber", "tags CONTAINS %@", "red"),
    ("Subscriber", "friend.tags BETWEEN %@", ["a", "b"]),
  ])
  func eachConditionOnAnEncodingNamesTheWayOut(
    entity: String, format: String, argument: any Sendable
  ) throws {
    let text = try refusal(entity, format, argument)
    #expect(
      text.contains(
        "tags is stored as an encoding, in which no store searches. Store what is to be"),
      "\(text)")
  }

  @Test func encodingsCanBeComparedWithNil() throws {
    let stack = try DataStack(inMemory: Self.entities)
    try stack.newContext().performAndWait { context in
      Subscriber.create(in: context).tags = ["red"]
      for (format, count) in [("tags == nil", 0), ("nil != tags", 1), ("friend.tags == nil", 1)] {
        let predicate = try FetchPredicate(format: format)
        #expect(
          try context.count(FetchRequest("Subscriber", where: predicate)) == count, "\(format)")
      }
    }
  }

  @Test func aWordOfTheLanguageCanNameAProperty() throws {
    let text = try refusal("House", "any == %@", "x")
    #expect(text.contains("write #any for a property with that name."), "\(text)")
    let stack = try DataStack(inMemory: Self.entities)
    try stack.newContext().performAndWait { context in
      House.create(in: context).any = "x"
      let predicate = try FetchPredicate(format: "#any == 'x'")
      #expect(try context.count(FetchRequest("House", where: predicate)) == 1)
    }
  }

  @Test func anEmptyFormatIsNamed() {
    for format in ["", "  "] {
      let error = #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: format) }
      #expect(
        "\(error as Any)".contains("pass no condition, or write TRUEPREDICATE"), "\(error as Any)")
    }
  }

  private func refusal(
    _ entity: String, _ format: String, _ argument: any Sendable
  ) throws -> String {
    let stack = try DataStack(inMemory: Self.entities)
    return stack.newContext().performAndWait { context in
      let error = #expect(throws: FetchPredicateError.self) {
        let predicate = try FetchPredicate(format: format, argument)
        _ = try context.fetch(FetchRequest(entity, where: predicate))
      }
      return "\(error as Any)"
    }
  }

  // MARK: - Services

  @Test func theRowsOfAFileThatIsGoneAreCopiedWhileAWriteWaits() throws {
    let folder = try TemporaryFolder()
    var options = SQLiteStoreOptions()
    options.noticesOtherProcesses = false
    let store = try SQLiteStore(
      url: folder.file("a.sqlite"), model: ManagedObjectModel(Self.entities), options: options)
    let service = RecordingService(
      stack: DataStack(store: store, classes: Self.entities),
      options: RecordingService.options { _ in })
    try service.writeSync(durability: .immediate, { Subscriber.create(in: $0).email = "a" }).get()
    try FileManager.default.removeItem(at: folder.file("a.sqlite"))
    let chain = service.writeSync(durability: .immediate) { Subscriber.create(in: $0).email = "b" }
    #expect(chain.failure?.description.contains("save the readable rows with copy(to:)") == true)
    try service.copy(to: folder.file("b.sqlite"))
    let copy = RecordingService(
      sqlite: folder.file("b.sqlite"), entities: Self.entities,
      options: RecordingService.options { _ in })
    #expect(try copy.readValue { try Subscriber.all(in: $0).map(\.email) }.contains("a"))
  }

  /// What the program itself has thrown to the caller needs no second report, and no other words.
  @Test func anErrorOfTheProgramsOwnBlockDescribesItself() async throws {
    struct Wrong: LocalizedError { var errorDescription: String? { "There is no player Zoe." } }
    let service = try RecordingService(stack: DataStack(inMemory: Self.entities))
    let read = #expect(throws: DALError.self) {
      try service.readValue { _ in throw Wrong() }
    }
    #expect(read?.description == "There is no player Zoe.")
    for isWrite in [false, true] {
      let error = await #expect(throws: DALError.self) {
        if isWrite { try await service.write { _ in throw Wrong() } }
        try await service.read { _ in throw Wrong() }
      }
      #expect(error?.blockError is Wrong)
    }
    #expect(service.errors.isEmpty)
    // Nobody has to look at a chain.
    service.writeSync { _ in throw Wrong() }
    #expect(service.errors.map(\.description) == ["There is no player Zoe."])
  }

  @Test func theFurtherFailuresOfABlockThatThrowsAreReported() async throws {
    struct Wrong: Error {}
    let service = try RecordingService(stack: DataStack(inMemory: Self.entities))
    let error = await #expect(throws: DALError.self) {
      try await service.read { context in
        Subscriber.create(in: context)
        throw Wrong()
      }
    }
    #expect(error != nil)
    #expect(service.errors.contains { if case .mutationInRead = $0.code { true } else { false } })
  }

  @Test func aFolderThatCannotBeMadeIsExplained() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file("file"))
    // From the folder of the data up to the root, and down again.
    let above = String(repeating: "../", count: 40)
    let location = StoreLocation(application: above + folder.file("file").path + "/App")
    let error = #expect(throws: StoreError.self) { try location.store(named: "a") }
    #expect(
      "\(error as Any)".contains("Set XDG_DATA_HOME, or pass the URL of a file"), "\(error as Any)")
  }
}
