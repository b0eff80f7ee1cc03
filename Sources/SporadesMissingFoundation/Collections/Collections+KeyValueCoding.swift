// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

// Collections as key-value coding asks them. A name that no member has ends the program, as an exception does on Apple's platforms.

extension NSArray {
  /// The values of all members under a name. A member without a value has `NSNull`.
  public func value(forKey key: String) -> Any { keyed([key]) as Any }
  /// The value at the end of a key path, which may have operators of collections: `@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? { keyed(keyPath.propertyNames) }
  /// Gives all members a value under a name.
  public func setValue(_ value: Any?, forKey key: String) { setKeyed(value, key) }
}

extension NSSet {
  /// The different values of all members under a name.
  public func value(forKey key: String) -> Any { keyed([key]) as Any }
  /// The value at the end of a key path, which may have operators of collections: `@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? { keyed(keyPath.propertyNames) }
  /// Gives all members a value under a name.
  public func setValue(_ value: Any?, forKey key: String) { setKeyed(value, key) }
}

extension NSOrderedSet {
  /// The different values of all members under a name, in their order.
  public func value(forKey key: String) -> Any { keyed([key]) as Any }
  /// The value at the end of a key path, which may have operators of collections: `@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? { keyed(keyPath.propertyNames) }
  /// Gives all members a value under a name.
  public func setValue(_ value: Any?, forKey key: String) { setKeyed(value, key) }
}

extension NSDictionary {
  /// The value at the end of a key path, which may have operators of collections: `lines.@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? { keyed(keyPath.propertyNames) }
}

extension NSMutableDictionary {
  /// Puts a value under a key. Nil removes the key.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value else {
      removeObject(forKey: key)
      return
    }
    setObject(value, forKey: key as NSString)
  }
}

extension NSObject {
  fileprivate func keyed(_ names: [String]) -> Any? {
    do { return try CollectionPath.value(names[...], of: self) } catch {
      trap("value(forKeyPath: \(names.joined(separator: ".").debugDescription)): \(error)")
    }
  }

  fileprivate func setKeyed(_ value: Any?, _ name: String) {
    for member in KeyedValue.members(self) {
      switch KeyedValue.unwrapped(member) {
      case let object as any KeyedObject:
        do { try object.setKeyedValue(value, name) } catch {
          trap("setValue(_:forKey: \(name.debugDescription)): \(error)")
        }
      case let values as NSMutableDictionary: values.setValue(value, forKey: name)
      case let other:
        trap(
          "setValue(_:forKey: \(name.debugDescription)) cannot set a property of \(other.map { "a \(type(of: $0))" } ?? "nil")."
        )
      }
    }
  }
}
