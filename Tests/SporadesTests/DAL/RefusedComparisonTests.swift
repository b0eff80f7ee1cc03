// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Conditions with one mistake, about which the compiler says one thing.
@Suite(.enabled(if: Compiler.isPresent))
struct RefusedComparisonTests {
  private static let classes = """
    import Foundation
    enum Rank: Int { case low, high }
    extension Rank: Comparable { static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue } }
    enum Size: Int, ValueConvertible { case small, large }
    extension Size: Comparable { static func < (a: Size, b: Size) -> Bool { a.rawValue < b.rawValue } }
    enum Level: Int { case low, high }
    @Entity final class Owner: ManagedObject {
      var level: Level = Level.low
      var mood: Level?
      var name: String = ""
      var age: Int = 0
      var limit: Int = 0
      var weight: Double?
      var rank: Rank = Rank.low
      var size: Size = Size.small
      var isActive: Bool = false
    }
    @Entity final class Pet: ManagedObject {
      var name: String?
      var age: Int = 0
      var born: Date?
      var rank: Rank?
      var size: Size?
      var isGood: Bool = false
      var owner: Owner?
    }

    """

  private func check(_ statement: String) throws -> String {
    try Compiler.check(
      Self.classes
        + "func ask(_ service: DALService, _ context: ManagedObjectContext) throws {\n\(statement)\n}\n"
    )
  }

  private static let unwrap = "value of optional type 'Owner?' must be unwrapped"

  @Test(arguments: [
    ("\\.owner.age > 3", unwrap), ("\\.owner.age < 3", unwrap), ("\\.owner.age >= 3", unwrap),
    ("\\.owner.age <= 3", unwrap), ("\\.owner.age == 3", unwrap), ("\\.owner.age != 3", unwrap),
    ("\\.owner.age ~= 3...4", unwrap), ("\\.owner.age ~= 3..<4", unwrap),
    ("\\.owner.age ~= [3, 4]", unwrap), ("\\.owner.weight > 3", unwrap),
    ("\\.owner.isActive", unwrap), ("!\\.owner.isActive", unwrap),
    ("\\.age > 3 && \\.owner.age > 3", unwrap),
    ("\\.age > \\.owner!.limit", "compare two properties in a format"),
    ("\\.owner!.age == \\.age", "compare two properties in a format"),
    ("\\.owner!.age != \\.age", "compare two properties in a format"),
    ("\\.age <= \\.age && \\.isGood", "compare two properties in a format"),
    ("3 < \\.age", "write the key path on the left: \\.age > 3"),
    ("3 >= \\.age", "write the key path on the left: \\.age <= 3"),
    ("\"Rex\" == \\.name", "write the key path on the left: \\.age == 3"),
    ("\\.name ~= \"A*\"", "isLike"), ("\\.owner!.name ~= \"A*\"", "isLike"),
    ("\\.age ~= 3", "~= takes a list or a range"),
    ("[1, 2] ~= \\.age", "write the key path on the left: \\.age ~= [3, 4]"),
    ("1...3 ~= \\.age", "write the key path on the left: \\.age ~= 3...4"),
    ("\\.owner ~= Owner.where(\\.age > 3)", "~= takes a list of objects"),
  ])
  func oneSentenceLeadsToTheRightCondition(_ condition: String, words: String) throws {
    let output = try check("_ = try Pet.all(where: \(condition), in: context)")
    #expect(output.contains("error:") && output.contains(words), "\(output)")
    #expect(!output.contains("failed to produce diagnostic"), "\(output)")
  }

  @Test(arguments: [
    (
      "_ = try Pet.all(where: \\.age == 3, sortBy: \\.age, in: context)",
      "expected 'where:sortedBy:in:'"
    ),
    (
      "_ = try Pet.first(\\.name, equalTo: \"a\", in: context)",
      "write the key path in a condition"
    ),
    (
      "_ = try Pet.all(\\.age, equalTo: 3, in: context)", "write the key path in a condition"
    ),
    ("_ = try context.fetch(FetchRequest(Pet.self))", "a request names its entity"),
    ("try Pet.create(in: context).save()", "an object is saved with its context"),
    ("let n: Int = try service.read { try Pet.count(in: $0) }; print(n)", "renamed to 'readValue'"),
    (
      "let n = try service.read { context in let n = try Pet.count(in: context); return n + 1 }; print(n)",
      "renamed to 'readValue'"
    ),
    (
      "try service.write { Pet.create(in: $0).age = 3 }",
      "outside of a task write try service.writeSync"
    ),
    (
      "try service.stack().main.perform { print(try Pet.count(in: $0)) }",
      "in a function without async write try queue.performAndWait"
    ),
    ("let durable: Durability = .sync; print(durable)", "renamed to 'immediate'"),
    (
      "var options = DALService.Options(); options.persistentHistory = .on; print(options)",
      "it is an option of the store"
    ),
    ("_ = UndoManager()", "renamed to 'ContextUndoManager'"),
    (
      "let n = try service.write { try Pet.count(in: $0) }; print(n)",
      "outside of a task write try service.writeSync"
    ),
  ])
  func oneSentenceLeadsToTheRightCall(_ call: String, words: String) throws {
    let output = try check(call)
    #expect(output.contains(words), "\(output)")
  }

  @Test func rightConditionsAreFreeOfDoubt() throws {
    let output = try check(
      """
      _ = try Pet.all(where: \\.owner?.age > 3 && \\.owner!.age <= 3, in: context)
      _ = try Pet.all(where: \\.owner?.weight >= 3 || \\.born < Date(), in: context)
      _ = try Pet.all(where: \\.rank > .low && \\.owner?.rank < .high && \\.owner!.rank >= .low, in: context)
      _ = try Pet.all(where: \\.size > .small && \\.owner?.size < .large && \\.owner!.size >= .small, in: context)
      _ = try Owner.all(where: \\.level > .low && \\.mood <= .high && \\.level == .high, in: context)
      _ = try Pet.all(where: \\.owner?.level >= .low && \\.owner!.level < .high, in: context)
      _ = try Pet.all(where: \\.size <= .small && \\.size >= .large && \\.rank == .low, in: context)
      _ = try Pet.all(where: \\.name ~= ["Rex", nil] && \\.age ~= [1, 2] && \\.owner?.weight ~= 1...2, in: context)
      _ = try Pet.all(where: \\.born ~= Date()..<Date(), sortedBy: .descending(\\.age), in: context)
      _ = try Pet.all(where: \\.isGood, sortedBy: \\.age, \\.name, in: context)
      _ = try Pet.first(where: \\.isGood && FetchPredicate(format: "age > 3"), sortedBy: "age", in: context)
      _ = try Pet.sum(\\.age, in: context) + 1
      _ = try Owner.max(\\.weight, in: context) ?? Owner.average(\\.weight, in: context)
      _ = try (Pet.max(\\.born, in: context), Pet.average(\\.born, in: context), Pet.min(\\.name, in: context))
      _ = try Pet.count(where: FetchPredicate(format: "age > 3"), in: context)
      try Pet.deleteAll(where: \\.isGood, in: context)
      let same = \\Pet.age as AnyKeyPath == \\Pet.age
      if \\Pet.age == \\Pet.age, 3 < 4 { print(same) }
      service.read { context in print(Pet.count(in: context)) }
      service.read { print(Pet.count(in: $0)) }
      """)
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }

  /// More functions of one name make the compiler's search longer, also where nobody means them.
  @Test func ordinaryConditionsAreCheckedInTime() throws {
    let output = try check(
      """
      let (a, b, c, s) = (context.insertedObjects.count, 0.5, [1, 2], "a")
      let near = a * 3 + 4 < 5 * a - 2 && b * 2.0 >= 3 + b || s.count < 3
      let far = (a + 1) * 2 > 7 && c.count * 2 <= a + 4 && !(b * 2 == 1.0 + b)
      let sum = c.map { $0 * 2 + 1 }.filter { $0 > 3 && $0 < 9 }.reduce(0) { $0 + $1 } == a + 3 * 4
      print(near, far, sum)
      """)
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }

  @Test(arguments: [
    ("@Attribute(unique: true) var tag: String?", "write @Attribute(.unique)"),
    ("@Attribute(indexed: true) var tag: String?", "write @Attribute(.indexed)"),
    ("@Attribute(originalName: \"t\") var tag: String?", "renamed(from:"),
    ("@Attribute(default: \"t\") var tag: String?", "a default is the initial value"),
    ("@Attribute(\"t\") var tag: String?", "an attribute has the name of its property"),
    ("@Relationship(.cascade) var others: Set<Owner>", "write @Relationship(deleteRule: .cascade)"),
    ("@Relationship(\\Pet.owner) var others: Set<Pet>", "write @Relationship(inverse: "),
  ])
  func aMarkSaysWhatToWrite(property: String, words: String) throws {
    let output = try Compiler.check(
      Self.classes + "@Entity final class Other: ManagedObject { \(property) }")
    #expect(output.contains(words), "\(output)")
    #expect(!output.contains("macro expansion"), "\(output)")
    #expect(output.components(separatedBy: ": error: ").count == 2, "\(output)")
  }
}
