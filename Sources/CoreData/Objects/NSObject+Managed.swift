// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import Foundation
import SporadesModel

// What generated accessors call where @NSManaged stands in a class that is no managed object. It compiles on Apple's platforms, and ends the
// program at the first use there, too.
extension NSObject {
  public func _getManaged<V>(_ key: String) -> V { refuse(key) }
  public func _getManagedOptional<V>(_ key: String) -> V? { refuse(key) }
  public func _setManaged<V>(_ key: String, _ value: V) { refuse(key) }
  public func _setManagedOptional<V>(_ key: String, _ value: V?) { refuse(key) }

  private func refuse(_ key: String) -> Never {
    trap(
      "\(type(of: self)).\(key) is marked with @NSManaged, and the class is no NSManagedObject, so that nothing has a value for it. Derive the class from NSManagedObject, or take the mark away."
    )
  }
}
