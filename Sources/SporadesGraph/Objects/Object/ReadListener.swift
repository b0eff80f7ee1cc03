// SPDX-License-Identifier: MIT

/// Hears of every property that a program reads of a context's objects, before it gets the value.
package protocol ReadListener: AnyObject {
  /// A program reads the property. The call must read it only with ``ManagedObject/untrackedValue(forKey:)``.
  func hear(readOf object: ManagedObject, _ property: String)
}
