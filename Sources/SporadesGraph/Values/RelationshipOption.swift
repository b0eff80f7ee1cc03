// SPDX-License-Identifier: MIT
import SporadesModel

/// An option of `@Relationship(…)`: a rule for a relationship that its type and its counts do not say.
public struct RelationshipOption: Sendable {
  let change: @Sendable (inout RelationshipDescription) -> Void

  private init(_ change: @escaping @Sendable (inout RelationshipDescription) -> Void) {
    self.change = change
  }

  /// No store keeps the links. They live as long as their objects.
  public static let transient = RelationshipOption { $0.isTransient = true }

  /// Whether a save accepts an object without related objects, whatever the least count is. Models made in
  /// Xcode have optional relationships with a least count, and required ones without.
  public static func optional(_ isOptional: Bool) -> RelationshipOption {
    RelationshipOption { $0.isOptional = isOptional }
  }
  /// Notes of the model's author, which the library keeps and does not read.
  public static func userInfo(_ notes: [String: String]) -> RelationshipOption {
    RelationshipOption { $0.userInfo = notes }
  }
}
