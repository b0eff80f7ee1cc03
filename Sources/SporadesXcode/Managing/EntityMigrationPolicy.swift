// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
public import SporadesModelFiles

/// Carries out an entity mapping. A subclass changes what a migration does with the objects of one mapping.
///
/// A migration makes one instance for each entity mapping and calls its functions in this order:
/// 1. ``begin(_:with:)``, ``createDestinationInstances(forSource:in:manager:)`` for each object of the older version,
///    ``endInstanceCreation(forMapping:manager:)``; then the next mapping
/// 2. ``createRelationships(forDestination:in:manager:)`` for each associated object,
///    ``endRelationshipCreation(forMapping:manager:)``; then the next mapping
/// 3. ``performCustomValidation(forMapping:manager:)`` and ``end(_:manager:)`` for each mapping
///
/// The manager saves between batches of objects. An object that a policy holds stays valid, and may be a fault.
open class EntityMigrationPolicy {
  /// Makes a policy for one entity mapping of one migration.
  public required init() {}

  /// Hears that the objects of the mapping are about to be made.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Makes the objects of the newer version for an object of the older one, without relationships.
  ///
  /// The usual implementation makes one object with its source's primary key, sets its attributes, and associates the
  /// two. Objects that an override makes in the manager's destination context are found again if it associates them.
  open func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard mapping.destinationEntityName != nil else { return }
    let destination = try manager.insertDestinationInstance(forSource: source, in: mapping)
    try manager.setAttributes(of: destination, forSource: source, in: mapping)
    try manager.associate(
      sourceInstance: source, withDestinationInstance: destination, for: mapping)
  }

  /// Hears that all objects of the mapping are made.
  open func endInstanceCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Sets the relationships of an object of the newer version. The usual implementation sets those of the mapping.
  open func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try manager.setRelationships(of: destination, in: mapping)
  }

  /// Hears that the relationships of all objects of the mapping are set.
  open func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Checks the objects of the mapping. The manager checks the rules of the model afterwards.
  open func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Hears that the mapping is done.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Computes a function that an expression calls: `FUNCTION($entityPolicy, "fullName:", $source)`.
  ///
  /// The usual implementation throws an error that names the function.
  open func value(
    forFunction name: String, arguments: [MappingValue], in mapping: EntityMapping,
    manager: MigrationManager
  ) throws -> MappingValue {
    throw MappingFailure(
      "the policy \(type(of: self)) has no function \(name); override "
        + "value(forFunction:arguments:in:manager:) and compute it.", .policy)
  }
}
