// SPDX-License-Identifier: MIT
import SporadesModel

/// Says where a property of the newer version gets its value from.
public struct PropertyMapping: Hashable, Sendable {
  /// The name of the attribute or relationship in the newer version. A member of a composite attribute has a path:
  /// `address.street`.
  public var name: String
  /// The value. Nil leaves an attribute at its default and a relationship empty.
  public var valueExpression: MappingExpression?
  /// Notes for policies.
  public var userInfo: [String: String]

  /// Maps a property. Without an expression, it gets the value of the property that continues.
  public init(
    _ name: String, _ valueExpression: MappingExpression? = .automatic,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.valueExpression = valueExpression
    self.userInfo = userInfo
  }
}
