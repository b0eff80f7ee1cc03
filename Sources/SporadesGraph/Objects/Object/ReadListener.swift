// SPDX-License-Identifier: MIT
package import SporadesModel

/// Hears of every property that a program reads of a context's objects, before it gets the value.
package protocol ReadListener: AnyObject {
  /// A program reads the property. The call must read it only with ``ManagedObject/untrackedValue(forKey:)``.
  func hear(readOf object: ManagedObject, _ property: String)
}

extension ManagedObject {
  /// The value of an attribute, or the ids of the objects of a relationship. No listener hears of it.
  package final func untrackedValue(forKey name: String) -> Value { value(of: property(name)) }
}
