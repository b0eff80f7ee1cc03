// SPDX-License-Identifier: MIT

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
