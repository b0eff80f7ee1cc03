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

  /// Gives a class of Foundation the overrides of a subclass, so that instances that programs make answer as those of the
  /// subclass do. The subclass adds no stored properties.
  ///
  /// The table of functions of a subclass begins with that of its superclass, with the overrides in their places. Both tables lie in
  /// memory that the compiler made writable. Each entry is one word, so that other threads see the old function or the new one.
  static func adoptOverrides(of subclass: AnyClass, in superclass: AnyClass) {
    let (from, to) = unsafe (place(subclass), place(superclass))
    trap(
      unless: _getSuperclass(subclass).map { $0 == superclass } ?? false
        && instanceSize(subclass) == instanceSize(superclass)
        && tableEnd(superclass) <= tableEnd(subclass),
      "This version of Foundation has another class \(superclass) than Sporades knows. Update Sporades."
    )
    let step = MemoryLayout<UInt>.size
    for offset in stride(from: step * headWords, to: tableEnd(superclass), by: step) {
      let function = unsafe from.load(fromByteOffset: offset, as: UInt.self)
      if unsafe to.load(fromByteOffset: offset, as: UInt.self) != function {
        unsafe to.storeBytes(of: function, toByteOffset: offset, as: UInt.self)
      }
    }
  }

  /// The size of an object of a class (docs/ABI/TypeMetadata.rst of the compiler).
  private static func instanceSize(_ type: AnyClass) -> UInt32 {
    unsafe place(type).load(
      fromByteOffset: MemoryLayout<UInt>.size * instanceSizeWord, as: UInt32.self)
  }

  /// The distance from a class's address to the end of its table. The class has its whole size, and the part of it before the
  /// address.
  private static func tableEnd(_ type: AnyClass) -> Int {
    let place = MemoryLayout<UInt>.size * (instanceSizeWord + 1)
    let whole = unsafe self.place(type).load(fromByteOffset: place, as: UInt32.self)
    let before = unsafe self.place(type).load(fromByteOffset: place + 4, as: UInt32.self)
    return Int(whole) - Int(before)
  }

  private static func place(_ type: AnyClass) -> UnsafeMutableRawPointer {
    unsafe unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
  }

  /// Without Objective-C, a class has its kind and its superclass, then four bytes of flags, four of the address point, and
  /// the size.
  private static let instanceSizeWord = 3
  /// Then come the size of the class, its description, and the function that ends a half-made object. The table of functions follows.
  private static let headWords = 7
}
