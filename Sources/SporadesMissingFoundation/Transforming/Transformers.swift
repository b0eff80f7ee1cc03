// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// Turns a truth value into the other one.
final class NegationTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: !((value as? NSNumber)?.boolValue ?? false))
  }
}

/// Turns a value into the answer whether it is nil, or whether it is there.
final class PresenceTransformer: ValueTransformer {
  private let answerForNil: Bool

  init(ofNil answer: Bool) {
    answerForNil = answer
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: KeyedValue.isThere(value) != answerForNil)
  }
}

/// Turns keyed archives into objects of any class, and objects into archives.
final class UnarchiveFromDataTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    Archive.read(value, by: Self.self) { try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData($0) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    Archive.write(value, by: Self.self, isSecure: false)
  }
}

/// Turns keyed archives into objects of the allowed classes, and objects into archives. A subclass allows other classes.
///
/// An archive that cannot be read, or whose objects are of another class, gives nil, and a sentence on standard error says why.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that an archive's object, and the members of its collections, may have.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self,
      NSDate.self, NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override class func transformedValueClass() -> AnyClass { NSObject.self }
  open override class func allowsReverseTransformation() -> Bool { true }

  open override func transformedValue(_ value: Any?) -> Any? {
    let allowed = type(of: self).allowedTopLevelClasses
    return Archive.read(value, by: type(of: self)) { data in
      try Archive.check(data, allowed)
      return try NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: data)
    }
  }

  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    Archive.write(value, by: type(of: self), isSecure: true)
  }
}
