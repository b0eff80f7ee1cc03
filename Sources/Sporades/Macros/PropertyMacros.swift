// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

/// Sets options of an attribute, beside its name, type and initial value.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses an option as an argument.
@available(*, unavailable, message: "write @Attribute(.unique)")
@attached(peer)
public macro Attribute(_ options: AttributeOption..., unique: Bool) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses an option as an argument.
@available(*, unavailable, message: "write @Attribute(.indexed)")
@attached(peer)
public macro Attribute(_ options: AttributeOption..., indexed: Bool) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses an option as an argument.
@available(*, unavailable, message: "write @Attribute(.renamed(from: \"oldName\"))")
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses a default as an argument.
@available(*, unavailable, message: "a default is the initial value: var name: String = \"Rex\"")
@attached(peer)
public macro Attribute<V>(_ options: AttributeOption..., default: V) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses a name.
@available(
  *, unavailable,
  message:
    "an attribute has the name of its property; for a former name write @Attribute(.renamed(from: \"oldName\"))"
)
@attached(peer)
public macro Attribute(_ name: String) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Sets options of a relationship, beside its name and type.
///
/// - Parameters:
///   - deleteRule: The effect of a deletion on the related objects.
///   - inverse: The same relationship on the other side: `\Pet.owner`. One side is enough. To name it on both,
///     write a key path on one side and a name on the other, or a name on each. Two key paths wait for each
///     other, and the compiler reports a circular reference.
///   - minCount: The least number of objects that a save accepts.
///   - maxCount: The greatest number of objects that a save accepts.
///   - renamedFrom: The relationship's name in the former version of the model.
///   - hashModifier: A text that tells this version from another one with the same relationship.
///   - options: What neither the type nor the other arguments say, as in `[.transient]`.
@attached(peer)
public macro Relationship(
  deleteRule: DeleteRule = .nullify, inverse: AnyKeyPath? = nil, minCount: Int? = nil,
  maxCount: Int? = nil, renamedFrom: String? = nil, hashModifier: String? = nil,
  options: [RelationshipOption] = []
) = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Sets options of a relationship, and names its inverse by a string.
@attached(peer)
public macro Relationship(
  deleteRule: DeleteRule = .nullify, inverse: String, minCount: Int? = nil,
  maxCount: Int? = nil, renamedFrom: String? = nil, hashModifier: String? = nil,
  options: [RelationshipOption] = []
) = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses a delete rule without its label.
@available(*, unavailable, message: "write @Relationship(deleteRule: .cascade)")
@attached(peer)
public macro Relationship(_ deleteRule: DeleteRule, inverse: AnyKeyPath? = nil) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses a delete rule with another label.
@available(*, unavailable, message: "write @Relationship(deleteRule: .cascade)")
@attached(peer)
public macro Relationship(onDelete deleteRule: DeleteRule, inverse: AnyKeyPath? = nil) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Refuses an inverse without its label.
@available(*, unavailable, message: "write @Relationship(inverse: \\Pet.owner)")
@attached(peer)
public macro Relationship(_ inverse: AnyKeyPath) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Declares a property that the store does not keep. Its value lives as long as its object.
@attached(peer)
public macro Transient() = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Declares an attribute that each save computes from others: `pets.@count`, `owner.name`, `canonical:(name)`,
/// `now()`.
@attached(peer)
public macro Derived(_ expression: String) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Keeps a stored property out of the model.
@attached(peer)
public macro Ignored() = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")
