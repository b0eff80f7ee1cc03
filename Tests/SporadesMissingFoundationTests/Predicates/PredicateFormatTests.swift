// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

/// Predicates of formats, in a file that imports Foundation itself.
@Suite struct PredicateFormatTests {
  static var all: [FormatCase] {
    FormatCase.comparisons + FormatCase.texts + FormatCase.compounds + FormatCase.collections
  }

  @Test(arguments: all.indices)
  func saysAndAnswersWhatItsFormatSays(index: Int) throws {
    let sample = Self.all[index]
    let predicate = NSPredicate(format: sample.format, argumentArray: sample.arguments)
    #expect(predicate.description == sample.text)
    #expect(predicate.format == sample.text)
    #expect(predicate.evaluate(with: Person.ann) == sample.answer, "\(sample.format)")
    // The text makes an equal predicate, with the same hash.
    let again = NSPredicate(format: predicate.format)
    #expect(again.isEqual(predicate), "\(sample.format)")
    #expect(predicate.isEqual(again))
    #expect(again == predicate)
    #expect(again.hash == predicate.hash)
    #expect(NSPredicate(try again.condition).isEqual(predicate))
    // So does the condition of the library.
    #expect(NSPredicate(try predicate.condition).isEqual(predicate))
    #expect((predicate.copy() as? NSPredicate)?.isEqual(predicate) == true)
  }

  @Test func aHundredFormatsAreThere() {
    #expect(Self.all.count > 100)
  }

  @Test func differentFormatsAreNotEqual() {
    var seen: [NSPredicate] = []
    for sample in Self.all {
      let predicate = NSPredicate(format: sample.format, argumentArray: sample.arguments)
      for other in seen where other.description != predicate.description {
        #expect(!other.isEqual(predicate), "\(other) and \(predicate)")
      }
      seen.append(predicate)
    }
  }

  @Test func argumentsWithoutAPlaceholderAreIgnored() {
    #expect(NSPredicate(format: "name == 'Ann'", 3).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "age > %d", argumentArray: [3, "b"]).description == "age > 3")
  }

  @Test func truthValuesAreNumbers() {
    let predicate = NSPredicate(format: "isMember == true AND age IN %@", [true, false])
    #expect(predicate.format == "isMember == 1 AND age IN {1, 0}")
    #expect(NSPredicate(format: "isMember == 1") == NSPredicate(format: "isMember == YES"))
    #expect(NSPredicate(format: "isMember == 0") != NSPredicate(format: "isMember == YES"))
  }

  /// Objects that no store compares are asked whether they are equal.
  @Test func anyObjectIsAnArgument() throws {
    let (one, other) = (NSObject(), NSObject())
    let box: [String: Any] = ["name": "a", "thing": one]
    let format = "name == 'a' AND thing == %@ AND NOT thing == %@"
    let predicate = NSPredicate(format: format, one, other)
    #expect(predicate.evaluate(with: box))
    #expect(!NSPredicate(format: format, other, one).evaluate(with: box))
    #expect(predicate == NSPredicate(format: format, one, other))
    #expect(predicate != NSPredicate(format: format, other, one))
    #expect(predicate.format.contains("thing == \(one)"))
    #expect(NSPredicate(format: "self == %@", one).evaluate(with: one))
    let condition = try NSPredicate(format: "thing == %@", one).condition
    #expect("\(condition)".isEmpty == false)
  }

  @Test func takesArgumentsOneByOne() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let id = UUID()
    let names: [String] = ["Ann"]
    let missing: String? = nil
    #expect(NSPredicate(format: "age > %d AND name IN %@", 3, names).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "born < %@", date as NSDate).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "born < %@", date as any CVarArg).evaluate(with: Person.ann))
    #expect(!NSPredicate(format: "id == %@", id as any CVarArg).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "name IN %@", names as any CVarArg).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "name IN %@", Set(names) as any CVarArg).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "name IN %@", names as NSArray).evaluate(with: Person.ann))
    #expect(NSPredicate(format: "%K == %@", #function, 1 as NSNumber).description.hasSuffix("== 1"))
    #expect(!NSPredicate(format: "nick == %@", missing as Any).evaluate(with: Person.ann))
    let list: [any CVarArg] = ["age", 41]
    #expect(NSPredicate(format: "%K == %@", argumentArray: list).evaluate(with: Person.ann))
    let made: NSPredicate = .init(format: "age == %@", argumentArray: [41])
    #expect(made.evaluate(with: Person.ann))
    #expect(NSPredicate(format: "age == 41", argumentArray: nil).evaluate(with: Person.ann))
  }

  @Test func textsOfFoundationTakeTheSameArguments() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    #expect(String(format: "%@|%@", date as any CVarArg, "x" as any CVarArg) == "\(date)|x")
    #expect(String(format: "%@", [1, 2] as any CVarArg) == "[1, 2]")
    #expect(String(format: "%@ %@", "a", "b" as NSString) == "a b")
    #expect(String(format: "%@", NSNumber(value: 5)) == "5")
    let error = NSError(domain: "D", code: 1, userInfo: ["key": "value"])
    #expect(String(format: "%@, %@", error, error.userInfo) == "\(error), \(error.userInfo)")
    #expect(
      String(format: "%@", NSUUID(uuidString: "29000000-0000-0000-0000-000000000000")!)
        == "29000000-0000-0000-0000-000000000000")
  }

  @Test func variablesGetValuesLater() {
    let template = NSPredicate(format: "name == $NAME AND age > $AGE")
    #expect(template.description == "name == $NAME AND age > $AGE")
    let filled = template.withSubstitutionVariables(["NAME": "Ann", "AGE": 3])
    #expect(filled.description == #"name == "Ann" AND age > 3"#)
    #expect(filled.evaluate(with: Person.ann))
    #expect(template.evaluate(with: Person.ann, substitutionVariables: ["NAME": "Ann", "AGE": 3]))
    #expect(!template.evaluate(with: Person.ann, substitutionVariables: ["NAME": "Ben", "AGE": 3]))
    let one = NSPredicate(format: "name == $NAME")
    #expect(one.evaluate(with: Person.ann, substitutionVariables: ["NAME": "Ann" as NSString]))
  }

  @Test func dictionariesTextsAndNumbersAreAsked() {
    #expect(NSPredicate(format: "a.b == 1").evaluate(with: ["a": ["b": 1]]))
    #expect(NSPredicate(format: "a == nil").evaluate(with: ["b": 1]))
    #expect(!NSPredicate(format: "a == '1'").evaluate(with: ["a": 1]))
    #expect(NSPredicate(format: "a != '1'").evaluate(with: ["a": 1]))
    #expect(NSPredicate(format: "a IN {'1', 1}").evaluate(with: ["a": 1]))
    #expect(!NSPredicate(format: "a IN {'1', '2'}").evaluate(with: ["a": 1]))
    #expect(NSPredicate(format: "a == 1").evaluate(with: NSDictionary(dictionary: ["a": 1])))
    #expect(NSPredicate(format: "SELF BEGINSWITH[c] 'b'").evaluate(with: "Ben"))
    #expect(NSPredicate(format: "SELF MATCHES %@", "[0-9]+").evaluate(with: "123"))
    #expect(NSPredicate(format: "self > 3").evaluate(with: 4))
    #expect(NSPredicate(format: "SELF IN %@", [1, 2]).evaluate(with: 2 as NSNumber))
    #expect(NSPredicate(format: "SELF == nil").evaluate(with: nil))
    #expect(NSPredicate(format: "ANY SELF > 3").evaluate(with: [1, 4]))
    #expect(NSPredicate(format: "SELF.@count == 2").evaluate(with: NSSet(array: [1, 4])))
  }

  @Test func collectionsAreFiltered() {
    let people = Person.ann.friends
    let adults = NSPredicate(format: "age > %d", 30)
    #expect((people as NSArray).filtered(using: adults).count == 1)
    #expect(NSSet(array: people).filtered(using: adults).count == 1)
    #expect(NSOrderedSet(array: people).filtered(using: adults).count == 1)
    #expect(people.filter(adults.evaluate).map(\.name) == ["Zoë"])
    let some = NSMutableArray(array: [1, 2, 3])
    some.filter(using: NSPredicate(format: "SELF > 1"))
    #expect(some.count == 2)
    let set = NSMutableSet(array: [1, 2, 3])
    set.filter(using: NSPredicate(format: "SELF > 1"))
    #expect(set.count == 2)
  }
}
