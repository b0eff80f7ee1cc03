// SPDX-License-Identifier: MIT
import SporadesModel

/// The way in which a set that is a relationship changes, which accessors that programs write announce.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are removed.
  case minus = 2
  /// Objects that are not in the other set are removed.
  case intersect = 3
  /// Other objects take the place of all.
  case set = 4
}

/// A pointer to a variable, from which a function reads and into which it writes. Objective-C would keep the object alive there.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

extension UnsafeMutablePointer where Pointee == AnyObject? {
  /// Makes a pointer to a variable for an object of some class: `AutoreleasingUnsafeMutablePointer(&note)`.
  public init<Other>(_ other: UnsafeMutablePointer<Other>) {
    trap(
      unless: MemoryLayout<Other>.size == MemoryLayout<AnyObject?>.size
        && (Other.self is AnyClass || Other.self == AnyObject.self
          || Other.self is any OptionalObject.Type),
      "A pointer to an object was made of one to a \(Other.self). Give the variable the type AnyObject?."
    )
    unsafe self.init(UnsafeMutableRawPointer(other).assumingMemoryBound(to: AnyObject?.self))
  }
}

/// An optional that may hold an object.
private protocol OptionalObject {}

extension Optional: OptionalObject where Wrapped: AnyObject {}
