// SPDX-License-Identifier: MIT
import SporadesGraph

/// Declares a class as an entity, whose properties are the stored properties of the class.
///
/// The class inherits from `ManagedObject`, or from the class of another entity and so from its properties.
///
/// `arbitrary` is for the members with names of Core Data's accessors, `addToPets(_:)`, which the compiler refuses.
///
/// - Parameters:
///   - name: The entity's name in the model; nil for the name of the class.
///   - isAbstract: Programs can create objects of the subentities, but not of this entity.
///   - renamedFrom: The entity's name in the former version of the model.
///   - hashModifier: A text that tells this version from another one with the same properties.
///   - userInfo: Notes of the model's author, which the library keeps and does not read.
@attached(
  member, conformances: ActiveRecord,
  names: named(declaration), named(firstPropertyIndex), named(propertyKeyPaths),
  named(propertyKeyPaths(of:)), named(init(_:)), named(init(context:)), named(subscript),
  arbitrary)
@attached(memberAttribute)
public macro Entity(
  _ name: String? = nil, isAbstract: Bool = false, renamedFrom: String? = nil,
  hashModifier: String? = nil, userInfo: [String: String] = [:]
) = #externalMacro(module: "SporadesPlugin", type: "EntityMacro")

/// Reads and writes a property of a managed object; ``Entity(_:isAbstract:renamedFrom:hashModifier:userInfo:)``
/// attaches it.
@attached(accessor, names: named(get), named(set))
public macro ManagedProperty(
  _ index: Int, isInSubentity: Bool = false, isReadOnly: Bool = false, isRelationship: Bool = false
) = #externalMacro(module: "SporadesPlugin", type: "ManagedPropertyMacro")

/// Declares a struct as the type of an attribute. The store keeps each member in a column.
@attached(
  extension, conformances: CompositeAttribute, names: named(elements), named(elementKeyPaths),
  named(init(from:)), named(write(to:)))
public macro Composite() = #externalMacro(module: "SporadesPlugin", type: "CompositeMacro")
