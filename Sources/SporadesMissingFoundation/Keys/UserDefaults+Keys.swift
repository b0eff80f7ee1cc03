// SPDX-License-Identifier: MIT
public import Foundation

extension UserDefaults {
  /// The value of a default by its name, as every object of Apple's platforms offers it.
  public func value(forKey key: String) -> Any? { object(forKey: key) }
  /// Sets a default by its name; nil removes it.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
