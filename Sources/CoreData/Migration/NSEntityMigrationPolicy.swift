// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import Foundation
import SporadesGraph
import SporadesMissingFoundation
import SporadesModel
import SporadesModelFiles
import SporadesXcode

/// The keys of values in a policy's expressions.
public let NSMigrationManagerKey = "manager"
public let NSMigrationSourceObjectKey = "source"
public let NSMigrationDestinationObjectKey = "destination"
public let NSMigrationEntityMappingKey = "entityMapping"
public let NSMigrationPropertyMappingKey = "propertyMapping"
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// Carries out an entity mapping. A subclass changes what a migration does with the objects of one mapping.
open class NSEntityMigrationPolicy: NSObject {
  /// Makes a policy for one mapping of one migration.
  public override required init() { super.init() }

  /// Hears that the objects of the mapping are about to be made.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the objects of the newer version for an object of the older one, without relationships.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let (value, library) = (mapping.entityMapping, manager.manager)
    guard value.destinationEntityName != nil else { return }
    let destination = try library.insertDestinationInstance(forSource: sInstance, in: value)
    try library.setAttributes(of: destination, forSource: sInstance, in: value)
    try library.associate(
      sourceInstance: sInstance, withDestinationInstance: destination, for: value)
  }

  /// Hears that all objects of the mapping are made.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of an object of the newer version.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try manager.manager.setRelationships(of: dInstance, in: mapping.entityMapping)
  }

  /// Hears that the relationships of all objects of the mapping are set.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Checks the objects of the mapping.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Hears that the mapping is done.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Computes a function that an expression of the mapping model calls on the policy. On Apple's platforms, Objective-C finds the
  /// method by its name; here a subclass overrides this one, calls super for names that it does not know, and finds its own.
  open func value(forFunction name: String, arguments: [Any?]) throws -> Any? {
    throw NSError.coreData(
      .operation,
      "The policy \(Swift.type(of: self)) has no function \(name). Override value(forFunction:arguments:) and compute it."
    )
  }

  /// The class of the policy with a name.
  static func type(named name: String) -> NSEntityMigrationPolicy.Type? {
    if let known = NSClassFromString(name) as? NSEntityMigrationPolicy.Type { return known }
    return ProgramClasses.named(name).lazy.compactMap { $0 as? NSEntityMigrationPolicy.Type }.first
  }
}

/// The library's policy of a mapping for which the program has an `NSEntityMigrationPolicy`.
final class BridgedPolicy: EntityMigrationPolicy {
  private func with(
    _ mapping: EntityMapping, _ manager: MigrationManager,
    _ body: (NSEntityMigrationPolicy, NSEntityMapping, NSMigrationManager) throws -> Void
  ) throws {
    guard let host = manager.host as? NSMigrationManager else {
      trap("A policy of Core Data worked for a manager of Sporades.")
    }
    try body(host.policy(for: mapping), host.mapping(mapping), host)
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try with(mapping, manager) { try $0.begin($1, with: $2) }
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let source = source as? NSManagedObject else {
      trap("A migration of Core Data read \(type(of: source)), which is no NSManagedObject.")
    }
    try with(mapping, manager) {
      try $0.createDestinationInstances(forSource: source, in: $1, manager: $2)
    }
  }

  override func endInstanceCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try with(mapping, manager) { try $0.endInstanceCreation(forMapping: $1, manager: $2) }
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let destination = destination as? NSManagedObject else {
      trap("A migration of Core Data made \(type(of: destination)), which is no NSManagedObject.")
    }
    try with(mapping, manager) {
      try $0.createRelationships(forDestination: destination, in: $1, manager: $2)
    }
  }

  override func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try with(mapping, manager) { try $0.endRelationshipCreation(forMapping: $1, manager: $2) }
  }

  override func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try with(mapping, manager) { try $0.performCustomValidation(forMapping: $1, manager: $2) }
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    try with(mapping, manager) { try $0.end($1, manager: $2) }
  }

  override func value(
    forFunction name: String, arguments: [MappingValue], in mapping: EntityMapping,
    manager: MigrationManager
  ) throws -> MappingValue {
    var answer: Any?
    try with(mapping, manager) { policy, _, host in
      answer = try policy.value(forFunction: name, arguments: arguments.map(host.plain))
    }
    switch ValueCoding.unwrapped(answer) {
    case nil: return .null
    case let object as NSManagedObject: return .object(object)
    case let objects as [NSManagedObject]: return .objects(objects)
    case let other?:
      return .value(
        try ValueCoding(.undefined).value(of: other, for: "The result of the function \(name)"))
    }
  }
}
