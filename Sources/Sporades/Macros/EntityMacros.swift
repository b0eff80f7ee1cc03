// SPDX-License-Identifier: MIT
import SporadesGraph

/// Makes the stored properties of a class those of an entity.
///
/// The class inherits from `ManagedObject`, or from the class of another entity, whose properties
/// it then has too. The entity is named after the class unless another name is given.
///
/// - Parameters:
///   - name: The entity's name in the model.
///   - isAbstract: No objects are of this entity itself, only of those below it.
///   - renamedFrom: The name the entity had in the version of the model before this one.
///   - hashModifier: Makes this version differ from one whose properties are the same.
@attached(
  member, names: named(declaration), named(firstPropertyIndex), named(propertyKeyPaths),
  named(propertyKeyPaths(of:)))
@attached(memberAttribute)
public macro Entity(
  _ name: String? = nil, isAbstract: Bool = false, renamedFrom: String? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SporadesPlugin", type: "EntityMacro")

/// Reads and writes a property of a managed object; ``Entity(_:isAbstract:renamedFrom:hashModifier:)``
/// attaches it.
@attached(accessor, names: named(get), named(set))
public macro ManagedProperty(
  _ index: Int, isInSubentity: Bool = false, isReadOnly: Bool = false
) = #externalMacro(module: "SporadesPlugin", type: "ManagedPropertyMacro")

/// Makes a struct an attribute whose members are stored in a column each.
@attached(
  extension, conformances: CompositeAttribute, names: named(elements), named(elementKeyPaths),
  named(init(from:)), named(write(to:)))
public macro Composite() = #externalMacro(module: "SporadesPlugin", type: "CompositeMacro")
