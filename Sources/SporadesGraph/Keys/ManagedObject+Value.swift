// SPDX-License-Identifier: MIT
public import SporadesModel

// An object can stand wherever a predicate compares ids: `%@`, `\.owner == user`, arrays and sets.
extension ManagedObject: ValueConvertible {}

extension ValueConvertible where Self: ManagedObject {
  /// The object's id. A class may have an attribute with the same name.
  public var value: Value { .objectID(objectID) }
}
