// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// Values of Foundation's classes as Sporades compares them, and back.
package enum PlainValue {
  /// The value without Foundation's classes: an `NSNumber` becomes a number, an `NSSet` a list, an object its id.
  package static func of(_ value: Any?) -> Any? {
    guard let value = KeyedValue.unwrapped(value) else { return nil }
    switch value {
    case let known as Value: return known
    case let object as any KeyedObject: return object.comparedAs ?? value
    case let known as any ValueConvertible
    where !(value is any Collection) || value is String || value is Data:
      return known.value
    case let number as NSNumber where type(of: value) is NSNumber.Type: return plain(number)
    case let text as NSString where type(of: value) is NSString.Type:
      return String(describing: text)
    case let date as NSDate where type(of: value) is NSDate.Type:
      return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case let data as NSData where type(of: value) is NSData.Type: return Data(referencing: data)
    case let id as NSUUID where type(of: value) is NSUUID.Type:
      return UUID(uuidString: id.uuidString)
    case let url as NSURL where type(of: value) is NSURL.Type: return url.absoluteURL
    default: break
    }
    return KeyedValue.collection(value).map { $0.map(of) as [Any?] } ?? value
  }

  /// The number as the type that it was made of.
  private static func plain(_ number: NSNumber) -> Any {
    if let decimal = number as? NSDecimalNumber { return decimal.decimalValue }
    switch number.type {
    case .truth where (0...1).contains(number.int64Value): return number.boolValue
    case .real: return number.doubleValue
    case .unsigned where number.uint64Value > UInt64(Int64.max): return Decimal(number.uint64Value)
    case .truth, .unsigned, .whole: return number.int64Value
    }
  }

  /// The value as a program of Foundation reads it.
  static func shown(_ value: Value) -> Any? {
    switch value {
    case .null: nil
    case .boolean(let value): value
    case .integer(let number): Int(number)
    case .double(let number): number
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .string(let text): text
    case .date(let date): date
    case .data(let data): data
    case .uuid(let id): id
    case .url(let url): url
    case .objectID(let id): id
    case .list(let values): values.map { shown($0) ?? NSNull() }
    }
  }
}

/// The kind of a number.
private enum KindOfNumber {
  case truth, whole, unsigned, real
}

extension NSNumber {
  /// The kind of the number. A truth value and a byte share their letter.
  fileprivate var type: KindOfNumber {
    switch unsafe UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "c"), UInt8(ascii: "B"): .truth
    case UInt8(ascii: "f"), UInt8(ascii: "d"): .real
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): .unsigned
    default: .whole
    }
  }
}
