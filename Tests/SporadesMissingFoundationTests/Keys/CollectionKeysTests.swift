// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

@Suite struct CollectionKeysTests {
  private let ann = Person.ann
  private var people: NSArray { [ann] + ann.friends as NSArray }

  @Test func collectionsAskEachMember() {
    #expect(people.value(forKey: "name") as? [String] == ["Ann", "Ben", "Zoë"])
    #expect((people.value(forKey: "nick") as? [Any])?.last is NSNull)
    #expect(NSSet(array: ann.friends).value(forKey: "name") as? Set<String> == ["Ben", "Zoë"])
    #expect(NSSet(array: ann.friends).value(forKey: "nick") as? NSSet == NSSet())
    let ordered = NSOrderedSet(array: ann.friends).value(forKey: "name") as? NSOrderedSet
    #expect(ordered?.array as? [String] == ["Ben", "Zoë"])
    #expect(
      people.value(forKeyPath: "boss.name") as? [NSObject] == [
        "Zoë" as NSString, NSNull(), NSNull(),
      ])
    #expect(people.value(forKey: "@count") as? Int == 3)
  }

  @Test func operatorsAskTheCollection() {
    #expect(people.value(forKeyPath: "@count") as? Int == 3)
    #expect(people.value(forKeyPath: "@sum.age") as? Int == 94)
    #expect(people.value(forKeyPath: "@sum.age") as? NSNumber == 94)
    #expect(people.value(forKeyPath: "@avg.score") as? Double == 47.0 / 3)
    #expect(people.value(forKeyPath: "@max.name") as? String == "Zoë")
    #expect(people.value(forKeyPath: "@min.born") as? Date == ann.born)
    #expect(NSArray(array: [3, 1, 2]).value(forKeyPath: "@max.self") as? Int == 3)
    #expect(NSArray().value(forKeyPath: "@sum.age") as? Int == 0)
    #expect(NSArray().value(forKeyPath: "@max.age") == nil)
    #expect(people.value(forKeyPath: "@unionOfObjects.isMember") as? [Bool] == [true, false, true])
    #expect(
      people.value(forKeyPath: "@distinctUnionOfObjects.isMember") as? [Bool] == [true, false])
    #expect(people.value(forKeyPath: "@unionOfArrays.tags") as? [String] == ["red", "blue", "red"])
    #expect(
      people.value(forKeyPath: "@distinctUnionOfArrays.tags") as? [String] == ["red", "blue"])
    #expect(
      people.value(forKeyPath: "@distinctUnionOfSets.tags") as? Set<String> == ["red", "blue"])
    let dictionary: NSDictionary = ["people": people]
    #expect(dictionary.value(forKeyPath: "people.@max.age") as? Int == 41)
    #expect(dictionary.value(forKeyPath: "people.name") as? [String] == ["Ann", "Ben", "Zoë"])
    #expect(dictionary.value(forKeyPath: "nobody.name") == nil)
  }

  @Test func objectsWithNamesAreReadAndSet() throws {
    let box = Box(["size": 3, "owner": Box(["size": 9])])
    let boxes: NSArray = [box, Box(["size": 5])]
    #expect(boxes.value(forKeyPath: "@sum.size") as? Int == 8)
    #expect(boxes.value(forKeyPath: "owner.size") as? [NSObject] == [9 as NSNumber, NSNull()])
    boxes.setValue(1, forKey: "size")
    #expect(boxes.value(forKey: "size") as? [Int] == [1, 1])
    #expect(NSPredicate(format: "owner.size > 3").evaluate(with: box))
    #expect(NSPredicate(format: "owner == %@", Box(["size": 9])).evaluate(with: box))
    #expect(NSPredicate(format: "SELF IN %@", [box]).evaluate(with: box))
    #expect(
      NSPredicate(format: "SELF == %@", box as any CVarArg).description == #"SELF == "box 1""#)
    #expect(Box(["answer": true]).answered == 0)
    let asked = Box(["answer": true])
    #expect(NSPredicate(format: "whatever == 3").evaluate(with: asked))
    #expect(asked.answered == 1)
    let values = NSMutableDictionary()
    values.setValue(3, forKey: "a")
    #expect(values.value(forKey: "a") as? Int == 3)
    values.setValue(nil, forKey: "a")
    #expect(values.count == 0)
  }
}

/// An object whose properties have names, as a managed object has.
private final class Box: KeyedObject, Equatable {
  private var values: [String: Any]
  private(set) var answered = 0

  init(_ values: [String: Any]) { self.values = values }

  var comparedAs: Value? { .string("box \(values["size"] ?? 0)") }
  func keyedValue(_ name: String) throws -> Any? { values[name] }
  func setKeyedValue(_ value: Any?, _ name: String) throws { values[name] = value }
  func answer(to condition: FetchPredicate) throws -> Bool? {
    guard let answer = values["answer"] as? Bool else { return nil }
    answered += 1
    return answer
  }
  static func == (left: Box, right: Box) -> Bool { left === right }
}
