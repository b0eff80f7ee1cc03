// SPDX-License-Identifier: MIT
import SporadesModel

extension AttributeType {
  /// The Swift types whose values an attribute of this type holds; nil if any type may.
  var swiftNames: [String]? {
    switch self {
    case .integer16: ["Int16", "NSNumber"]
    case .integer32: ["Int32", "NSNumber"]
    case .integer64: ["Int64", "Int", "NSNumber"]
    case .decimal: ["Decimal", "NSDecimalNumber"]
    case .double: ["Double", "NSNumber", "CGFloat", "TimeInterval"]
    case .float: ["Float", "NSNumber"]
    case .string: ["String", "NSString"]
    case .boolean: ["Bool", "NSNumber"]
    case .date: ["Date", "NSDate", "TimeInterval"]
    case .binary: ["Data", "NSData"]
    case .uuid: ["UUID", "NSUUID"]
    case .uri: ["URL", "NSURL"]
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }

  /// The types that no other name stands for. A type that is not among them may be an enum over one of them.
  static let knownSwiftNames: Set<String> = Set(allCases.flatMap { $0.swiftNames ?? [] }).union([
    "Int8", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Character",
  ])

  /// Types of Objective-C's numbers, of which an object has none while it has no value.
  static let scalarSwiftNames: Set<String> = [
    "Int16", "Int32", "Int64", "Int", "Double", "Float", "Bool", "TimeInterval", "CGFloat",
  ]
}
