// SPDX-License-Identifier: MIT
public import SporadesModel

// Types that no property of the kind can have. The compiler chooses these functions only where no other
// fits, so it reports one sentence in place of a list of candidates.
extension PropertyDeclaration {
  /// Declares a property that the model refuses. The accessors of a class marked `@Entity` do not compile
  /// for such a type; a declaration by hand meets the problem in the model.
  @_disfavoredOverload
  public static func property<V>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self { refused(name, "\(type)", "an attribute or relationship") }

  /// Declares a transient property that the model refuses.
  @_disfavoredOverload
  public static func transient<V>(_ name: String, _ type: V.Type, default value: V? = nil) -> Self {
    refused(name, "\(type)", "a transient attribute")
  }

  /// Refuses `@Relationship` on a property that leads to no entity.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a relationship leads to the class of an entity, or to a Set or Array of one, which is never optional. For a value, remove '@Relationship', or write '@Attribute'."
  )
  public static func relationship<V>(
    _ name: String, _ type: V.Type, deleteRule: DeleteRule = .nullify, inverse: String? = nil,
    minCount: Int? = nil, maxCount: Int? = nil, renamedFrom: String? = nil,
    hashModifier: String? = nil, options: [RelationshipOption] = []
  ) -> Self { refused(name, "\(type)", "a relationship") }

  /// Refuses `@Derived` on a property whose type no expression gives.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a derived attribute is a number, Bool, String, Date, Data, UUID, URL, Decimal, or an enum with such raw values. For another value, write a computed property."
  )
  public static func derived<V>(_ name: String, _ type: V.Type, from expression: String) -> Self {
    refused(name, "\(type)", "a derived attribute")
  }

  private static func refused(_ name: String, _ type: String, _ kind: String) -> Self {
    var declaration = Self(AttributeDescription(name, .undefined, isOptional: true), [])
    declaration.problems.append(
      .init(
        .unsupportedType,
        "has the type \(type), which \(kind) cannot have; change the type, or take the property out of "
          + "the model."))
    return declaration
  }
}
