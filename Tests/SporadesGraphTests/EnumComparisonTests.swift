// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// A raw value that no case has finds nothing, and so it is a mistake that is named.
@Suite struct EnumComparisonTests {
  private func refusal(
    of predicate: FetchPredicate, for entity: String = "Yacht"
  ) throws -> String? {
    let stack = try DataStack(inMemory: [Yacht.self])
    return stack.main.performAndWait { context in
      do {
        _ = try context.fetch(FetchRequest(entity, where: predicate))
        return nil
      } catch {
        return "\(error)"
      }
    }
  }

  @Test(arguments: [
    ("flag == 'gren'", "Yacht.flag", "Flag", "The nearest name is green."),
    ("flag != 'purple'", "Yacht.flag", "Flag", "Known names: green, red."),
    ("'Red' == flag", "Yacht.flag", "Flag", "The nearest name is red."),
    ("flag IN {'red', 'blue'}", "Yacht.flag", "Flag", "Known names: green, red."),
    ("NOT (sail == 7 OR sail == 4)", "Yacht.sail", "Sail", "raw value of a case"),
    ("sail IN {3, 9}", "Yacht.sail", "Sail", "use LIKE or BETWEEN"),
    ("deck.inner.flag == 'greeen'", "Yacht.deck.inner.flag", "Flag", "nearest name is green."),
    ("indexed:by:(flag, 'flag') == 'gren'", "Yacht.flag", "Flag", "nearest name is green."),
  ])
  func aRawValueOfNoCaseIsRefused(
    format: String, property: String, type: String, hint: String
  ) throws {
    let text = try refusal(of: FetchPredicate(format: format))
    #expect(
      text?.contains("\(property) is compared with a raw value that no case of \(type) has.")
        == true,
      "\(text as Any)")
    #expect(text?.contains(hint) == true, "\(text as Any)")
  }

  @Test(arguments: [
    "flag == 'green'", "flag ==[c] 'GREEN'", "flag == nil", "flag IN {'red', 'green'}",
    "flag BEGINSWITH 'bl'", "flag LIKE 'blue'", "sail == 4", "sail == 4.0", "sail > 7",
    "sail BETWEEN {7, 7}", "spare == nil", "deck.sail == 5", "flag == deck.inner.flag",
  ])
  func otherComparisonsAreTaken(format: String) throws {
    #expect(try refusal(of: FetchPredicate(format: format)) == nil)
  }

  @Test func findersAndObjectsInMemoryRefuseItToo() throws {
    let stack = try DataStack(inMemory: [Yacht.self])
    try stack.newContext().performAndWait { context in
      #expect(throws: FetchPredicateError.self) {
        try Yacht.all("flag", equalTo: "blue", in: context)
      }
      let yacht = Yacht.create(in: context)
      let predicate = try FetchPredicate(format: "flag == 'blue'")
      #expect(throws: FetchPredicateError.self) { try predicate.evaluate(with: yacht) }
      #expect(try Yacht.all(where: \.flag == .green, in: context) == [yacht])
      #expect(try Yacht.all(where: \.sail ~= [.jib, .main], in: context) == [yacht])
    }
  }

  /// The entity has no enum where a program binds no class to it.
  @Test func aModelWithoutTheClassTakesEveryRawValue() throws {
    let model = try ManagedObjectModel([Yacht.self])
    let stack = try DataStack(inMemory: model)
    try stack.main.performAndWait { context in
      let request = FetchRequest("Yacht", where: try FetchPredicate(format: "flag == 'blue'"))
      #expect(try context.count(request) == 0)
    }
  }
}
