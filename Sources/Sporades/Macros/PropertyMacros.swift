// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

/// Says more about an attribute than its name, type and initial value do.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Says more about a relationship than its name and type do.
///
/// - Parameters:
///   - deleteRule: What deleting the object does to those the relationship leads to.
///   - inverse: The relationship seen from the other side: `\Pet.owner`. A key path on one side is
///     enough; on both, each macro would wait for the other, and the compiler says so.
///   - minCount: The least number of objects a save accepts.
///   - maxCount: The greatest number of objects a save accepts.
///   - renamedFrom: The name the relationship had in the version of the model before this one.
///   - hashModifier: Makes this version differ from one whose relationship is the same.
@attached(peer)
public macro Relationship(
  deleteRule: DeleteRule = .nullify, inverse: AnyKeyPath? = nil, minCount: Int? = nil,
  maxCount: Int? = nil, renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Says more about a relationship, and names its inverse by a string.
@attached(peer)
public macro Relationship(
  deleteRule: DeleteRule = .nullify, inverse: String, minCount: Int? = nil,
  maxCount: Int? = nil, renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// A property whose value lives as long as its object and is never stored.
@attached(peer)
public macro Transient() = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// An attribute the store computes from others when it saves: `pets.@count`, `owner.name`,
/// `canonical:(name)`, `now()`.
@attached(peer)
public macro Derived(_ expression: String) =
  #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")

/// Keeps a stored property out of the model.
@attached(peer)
public macro Ignored() = #externalMacro(module: "SporadesPlugin", type: "MarkerMacro")
