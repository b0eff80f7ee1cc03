// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The name of a method. Linux has no methods that are called by name; sort descriptors know those that compare texts.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name with its colons.
  let name: String

  /// Names a method: `Selector("localizedStandardCompare:")`.
  public init(_ name: String) { self.name = name }

  public init(stringLiteral name: String) { self.name = name }

  public var description: String { name }
}

/// Names a method.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

/// The name of a method.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }
