// SPDX-License-Identifier: MIT
import SporadesModel

/// Makes the class of requests for notes a subclass of that of requests for any result, as far as casts can see.
///
/// Objective-C has one class of requests, so that programs cast `NSFetchRequest<Note>` to
/// `NSFetchRequest<NSFetchRequestResult>` and back. Swift makes a class of each, all with the same memory and the same functions. A cast
/// follows the superclasses that the classes' metadata name, and these can be changed: docs/ABI/TypeMetadata.rst in Swift's sources.
enum RequestClasses {
  private static let linked = Guarded<Set<ObjectIdentifier>>([])

  /// Puts the class of a request below those of more general results.
  static func link<Result>(_ type: NSFetchRequest<Result>.Type) {
    guard linked.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
    let general = NSFetchRequest<any NSFetchRequestResult>.self
    guard type != general else { return }
    if Result.self is NSManagedObject.Type, Result.self != NSManagedObject.self {
      link(NSFetchRequest<NSManagedObject>.self)
      setSuperclass(of: type, NSFetchRequest<NSManagedObject>.self)
    } else {
      setSuperclass(of: type, general)
    }
  }

  /// Puts the class of a result below that of results of any type.
  static func link<Result>(_ type: NSAsynchronousFetchResult<Result>.Type) {
    guard linked.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
    let general = NSAsynchronousFetchResult<any NSFetchRequestResult>.self
    if type != general { setSuperclass(of: type, general) }
  }

  private static func setSuperclass(of type: AnyClass, _ superclass: AnyClass) {
    let place = unsafe UnsafeMutableRawPointer(
      bitPattern: unsafeBitCast(type, to: UInt.self) + UInt(MemoryLayout<UInt>.size))
    guard let place = unsafe place else { trap("A class lies nowhere.") }
    let word = unsafe unsafeBitCast(superclass, to: UInt.self)
    unsafe place.storeBytes(of: word, as: UInt.self)
  }
}
