// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// A class of Foundation whose initializers in extensions make objects of subclasses of ours.
protocol MadeElsewhere {}

extension MadeElsewhere {
  /// Takes an object that was made before.
  init(made: Self) { self = made }
}

extension NSPredicate: MadeElsewhere {}
@available(*, deprecated)
extension NSExpression: MadeElsewhere {}

/// Gives objects another class, for the classes of Foundation whose initializers nobody can call on Linux.
enum ClassChange {
  /// Gives an object another class with the same stored properties. The object has no other owner yet.
  static func object<Given: AnyObject, Wanted: AnyObject>(
    _ object: Given, as wanted: Wanted.Type
  ) -> Wanted {
    trap(
      unless: instanceSize(Given.self) == instanceSize(wanted),
      "This version of Foundation has other objects of the class \(wanted) than Sporades knows. Update Sporades."
    )
    // The first word of an object of Swift is its class.
    let place = unsafe Unmanaged.passUnretained(object).toOpaque()
    let word = unsafe unsafeBitCast(wanted as AnyClass, to: UInt.self)
    unsafe place.storeBytes(of: word, as: UInt.self)
    return unsafe unsafeDowncast(object as AnyObject, to: wanted)
  }

  /// The size of an object of a class, which lies in the class at a fixed place (docs/ABI/TypeMetadata.rst of the
  /// compiler): behind the superclass, two reserved words, the data, the flags and the address point.
  private static func instanceSize(_ type: AnyClass) -> UInt32 {
    let place = unsafe UnsafeRawPointer(bitPattern: unsafeBitCast(type, to: UInt.self))
    guard let place = unsafe place else { return 0 }
    return unsafe place.load(
      fromByteOffset: MemoryLayout<UInt>.size * instanceSizeWord, as: UInt32.self)
  }

  /// Without Objective-C, a class has its kind and its superclass, then four bytes of flags, four of the address point, and
  /// the size.
  private static let instanceSizeWord = 3
}
