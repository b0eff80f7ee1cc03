// SPDX-License-Identifier: MIT
import SporadesModel

/// A key of records that fits no property, so its values were left out.
public struct UnknownKey: Hashable, Sendable {
  /// The name of the entity whose objects the records become.
  public let entity: String
  /// The key, or the name of the column.
  public let key: String
  /// The number of records that have the key.
  public let records: Int
  /// The property whose name is nearest to the key; nil if none is near.
  public let nearest: String?
  /// The reason why a property with the name of the key takes no value: the store computes it, or keeps none. Nil if no property
  /// has the name.
  public let reason: String?
}

extension UnknownKey: CustomStringConvertible {
  public var description: String {
    let near = reason.map { "; \($0)" } ?? nearest.map { "; nearest: \($0)" } ?? ""
    return "\(key) (\(records)\(near))"
  }
}
