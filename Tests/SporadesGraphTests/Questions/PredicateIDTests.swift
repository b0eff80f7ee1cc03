// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// Objects and ids in conditions: those that a context can never find are refused, as `existingObject(with:)` does.
@Suite struct PredicateIDTests {
  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  /// The refusals of all doors to the condition that the owner of a dog is the object.
  private func refusals(
    _ id: ManagedObjectID, in context: ManagedObjectContext
  ) throws -> [String] {
    let format = try FetchPredicate(format: "owner == %@", id)
    let listed = try FetchPredicate(format: "name == 'x' OR owner IN %@", [id])
    let inner = try FetchPredicate(
      format: "SUBQUERY(owner.dogs, $d, $d.owner == %@).@count > 0", id)
    let dog = Dog.create(in: context)
    defer { context.delete(dog) }
    return [
      refusal { _ = try context.existingObject(with: id) },
      refusal { _ = try context.fetch(FetchRequest("Dog", where: format)) },
      refusal { _ = try context.fetch(FetchRequest("Dog", where: format)) },
      refusal { _ = try context.count(FetchRequest("Dog", where: listed)) },
      refusal { _ = try context.fetchIDs(FetchRequest("Dog", where: inner)) },
      refusal { _ = try Dog.all(where: \.owner == id, in: context) },
      refusal { _ = try format.evaluate(with: dog) },
    ]
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func theIDOfAnotherStackIsRefused(in kind: StoreKind) throws {
    let id = try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    try kind.people().context(kind).performAndWait { context in
      let refusals = try refusals(id, in: context)
      #expect(Set(refusals).count == 1, "\(refusals)")
      #expect(refusals[0].contains("belongs to another store"))
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func theTemporaryIDOfAnotherContextIsRefused(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (first, second) = (stack.context(kind), stack.context(kind))
    let id = first.performAndWait { Person.make("Ann", in: $0).objectID }
    try second.performAndWait { context in
      let refusals = try refusals(id, in: context)
      #expect(Set(refusals).count == 1, "\(refusals)")
      #expect(refusals[0].contains("temporary id"))
    }
    try first.performAndWait { context in
      let ann = try #require(try Person.first(where: \.name == "Ann", in: context))
      let request = FetchRequest("Person", where: try FetchPredicate(format: "SELF == %@", id))
      #expect(try context.fetch(request) == [ann])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aVariableReadsThePropertiesOfItsObject(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      ann.parent = bob
      ann.home = Home(city: "Kiel")
      func found(_ format: String, _ values: [String: Any?]) throws -> [Person] {
        let template = try FetchPredicate(format: format)
        return try Person.all(where: template.substituting(values), in: context)
      }
      for _ in 0..<2 {
        #expect(try found("name == $P.name", ["P": ann]) == [ann])
        #expect(try found("name == $P.parent.name", ["P": ann]) == [bob])
        #expect(try found("SELF == $P.parent AND $P.name == 'Ann'", ["P": ann]) == [bob])
        #expect(try found("name IN $P.children.name", ["P": bob]) == [ann])
        #expect(try found("home.city == $P.home.city", ["P": ann]) == [ann])
        #expect(try found("name == $P.parent.name", ["P": bob]) == [])
        #expect(try found("home.city == $P.home.city AND name == $P.name", ["P": nil]) == [])
        #expect(try found("name == $P.name", ["P": ann, "P.name": "Bob"]) == [bob])
        try context.save()
      }
      let template = try FetchPredicate(format: "name == $P.name AND age == $Q")
      #expect(template.substituting(["P": ann]).variableNames == ["Q"])
      #expect(refusal { _ = try found("name == $P.nam", ["P": ann]) }.contains("name"))
      #expect(refusal { _ = try found("name == $P.name", ["P": "Ann"]) }.contains("$P.name"))
      #expect(refusal { _ = try found("name == $P.name", ["P": ann.objectID]) }.contains("object"))
    }
  }

  @Test func aNumberBeyondTheRangeIsRefusedWithTheRange() {
    for argument: Any in [UInt64.max, [1, UInt64.max]] as [Any] {
      let text = refusal { _ = try FetchPredicate(format: "age IN %@", argument) }
      #expect(text.contains("9223372036854775807"), "\(text)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aNegativeZeroIsTheZeroThatAColumnHolds(in kind: StoreKind) throws {
    try kind.kinds().newContext().performAndWait { context in
      let kinds = Kinds.create(in: context)
      kinds.double = -0.0
      let before = kinds.double
      try context.save()
      let after = kinds.double
      context.refresh(kinds, mergeChanges: false)
      #expect([before, after, kinds.double].map { $0?.sign } == [.plus, .plus, .plus])
    }
  }
}
