// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import Testing

@Suite struct ValueTransformerTests {
  @Test func transformersHaveNames() throws {
    let name = NSValueTransformerName("ReversingTransformer")
    #expect(ValueTransformer(forName: name) == nil)
    ValueTransformer.setValueTransformer(ReversingTransformer(), forName: name)
    let found = try #require(ValueTransformer(forName: name))
    #expect(found is ReversingTransformer)
    #expect(found.transformedValue("abc") as? String == "cba")
    #expect(found.reverseTransformedValue("cba") as? String == "abc")
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    #expect(!ValueTransformer.valueTransformerNames().contains(name))
  }

  @Test func knownTransformersAnswer() throws {
    let negation = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    #expect(negation.transformedValue(true) as? Bool == false)
    #expect(negation.reverseTransformedValue(false) as? Bool == true)
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    #expect(isNil.transformedValue(nil) as? Bool == true)
    #expect(isNil.transformedValue(1) as? Bool == false)
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(isNotNil.transformedValue(nil) as? Bool == false)
    #expect(!type(of: isNotNil).allowsReverseTransformation())
  }

  @Test func archivesComeBack() throws {
    let secure = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    for value in [["a", "b"] as NSArray, ["k": 1] as NSDictionary, "x" as NSString, 5 as NSNumber] {
      let data = secure.reverseTransformedValue(value)
      #expect(data is Data)
      #expect(secure.transformedValue(data) as? NSObject == value)
    }
    #expect(secure.transformedValue(nil) == nil)
    #expect(secure.reverseTransformedValue(nil) == nil)
    let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
    let data = keyed.reverseTransformedValue(["a"])
    #expect(keyed.transformedValue(data) as? [String] == ["a"])
  }

  @Test func aSubclassAllowsItsClasses() {
    let transformer = PointTransformer()
    let data = transformer.reverseTransformedValue(Point(3))
    #expect((transformer.transformedValue(data) as? Point)?.x == 3)
    let several = transformer.reverseTransformedValue([Point(1), Point(2)])
    #expect((transformer.transformedValue(several) as? [Point])?.map(\.x) == [1, 2])
  }

  @Test func otherClassesAndBrokenArchivesGiveNil() {
    let base = NSSecureUnarchiveFromDataTransformer()
    let point = PointTransformer().reverseTransformedValue([Point(3)])
    #expect(base.transformedValue(point) == nil)
    #expect(
      PointTransformer().transformedValue(base.reverseTransformedValue("text" as NSString)) == nil)
    #expect(
      PointTransformer().transformedValue(base.reverseTransformedValue([1 as NSNumber] as NSArray))
        == nil)
    #expect(base.transformedValue(Data([1, 2, 3])) == nil)
    #expect(base.transformedValue(Data()) == nil)
  }
}

private final class ReversingTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSString.self }
  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { String($0.reversed()) }
  }
}

private final class PointTransformer: NSSecureUnarchiveFromDataTransformer {
  override static var allowedTopLevelClasses: [AnyClass] { [NSArray.self, Point.self] }
  override class func transformedValueClass() -> AnyClass { Point.self }
}

/// An object that archives itself.
final class Point: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let x: Int
  init(_ x: Int) { self.x = x }
  init?(coder: NSCoder) {
    guard let number = coder.decodeObject(of: NSNumber.self, forKey: "x") else { return nil }
    x = number.intValue
  }
  func encode(with coder: NSCoder) { coder.encode(x as NSNumber, forKey: "x") }
}
