// SPDX-License-Identifier: MIT
public import Foundation
import SporadesContainers
package import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
package import SporadesStore
import SporadesXcode

/// Migrates the objects of a store by a mapping model.
open class NSMigrationManager: NSObject {
  /// The older version of the model.
  public let sourceModel: NSManagedObjectModel
  /// The newer version of the model.
  public let destinationModel: NSManagedObjectModel
  /// The mapping model at work.
  public private(set) var mappingModel: NSMappingModel
  /// The context with the objects of the older version, while a migration runs.
  public private(set) var sourceContext: NSManagedObjectContext
  /// The context with the objects of the newer version, while a migration runs.
  public private(set) var destinationContext: NSManagedObjectContext
  /// Values that the program passes to its policies.
  open var userInfo: [AnyHashable: Any]?
  /// Has no effect: there is one way in which stores are migrated.
  public var usesStoreSpecificMigrationManager = true
  /// The library's manager.
  let manager: MigrationManager
  private var policies: [String: NSEntityMigrationPolicy] = [:]

  /// Makes a manager for migrations between two versions.
  public init(
    sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    mappingModel = NSMappingModel()
    sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    manager = MigrationManager(
      source: sourceModel.built(for: "The source model has mistakes"),
      destination: destinationModel.built(for: "The destination model has mistakes"))
    super.init()
    manager.host = self
  }

  /// Migrates the store in a file into another file.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    do {
      guard let mappings else {
        throw NSError.coreData(
          number: NSMigrationMissingMappingModelError,
          "A migration was asked for without a mapping model. Pass one, or let the store be migrated when it is opened."
        )
      }
      let source = try StoreOptions(
        type: sStoreType, configuration: nil, url: sourceURL, options: sOptions)
      let destination = try StoreOptions(
        type: dStoreType, configuration: nil, url: dURL, options: dOptions)
      mappingModel = mappings
      policies = [:]
      try registerPolicies(mappings)
      try manager.migrateStore(
        from: sourceURL, to: dURL, with: mappings.mappingModel,
        sourceOptions: source.description.sqliteOptions,
        destinationOptions: destination.description.sqliteOptions)
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// Migrates the store in a file into another file.
  public func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel,
    to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions)
  }

  /// Migrates the store in a file, which stays in its place.
  func migrateStore(
    inPlace url: URL, _ mappings: NSMappingModel, _ options: SQLiteStoreOptions
  ) throws {
    mappingModel = mappings
    policies = [:]
    try registerPolicies(mappings)
    try manager.migrateStore(
      from: url, with: mappings.mappingModel, sourceOptions: options, destinationOptions: options)
  }

  // MARK: - Policies

  private func registerPolicies(_ mappings: NSMappingModel) throws {
    for mapping in mappings.entityMappings {
      guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { continue }
      guard NSEntityMigrationPolicy.type(named: name) != nil else {
        throw NSError.coreData(
          number: NSEntityMigrationPolicyError,
          "The mapping \(mapping.name ?? "without a name") names the policy \(name), and the program has no such class."
        )
      }
      manager.register(BridgedPolicy.self, named: name)
    }
  }

  func policy(for mapping: EntityMapping) -> NSEntityMigrationPolicy {
    if let known = policies[mapping.name] { return known }
    let type = mapping.entityMigrationPolicyClassName.flatMap(NSEntityMigrationPolicy.type(named:))
    let policy = (type ?? NSEntityMigrationPolicy.self).init()
    policies[mapping.name] = policy
    return policy
  }

  /// The program's object for a mapping of the library.
  func mapping(_ mapping: EntityMapping) -> NSEntityMapping {
    mappingModel.entityMappingsByName[mapping.name] ?? NSEntityMapping(mapping)
  }

  /// An argument of a policy's function.
  func plain(_ value: MappingValue) -> Any? {
    switch value {
    case .value(let value): ValueCoding.plain(value)
    case .object(let object): object
    case .objects(let objects): objects
    case .manager: self
    case .context(let context): context.holder
    case .entityMapping(let mapping): self.mapping(mapping)
    case .propertyMapping(let mapping): NSPropertyMapping(mapping)
    case .request(let request): NSFetchRequest<NSManagedObject>(request, in: sourceModel)
    case .policy: nil
    }
  }

  // MARK: - While a migration runs

  /// The mapping at work.
  open var currentEntityMapping: NSEntityMapping {
    guard let current = manager.currentEntityMapping else {
      trap("A migration manager was asked for its mapping while no migration runs.")
    }
    return mapping(current)
  }

  /// The part of the migration that is done.
  open var migrationProgress: Float { Float(manager.migrationProgress.fractionCompleted) }

  /// The older entity of a mapping.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The newer entity of a mapping.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Notes that a mapping made an object of the newer version of one of the older version.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    do {
      try manager.associate(
        sourceInstance: sourceInstance, withDestinationInstance: destinationInstance,
        for: entityMapping.entityMapping)
    } catch {
      manager.cancelMigration(with: error)
    }
  }

  /// The objects that a mapping made of some objects of the older version; nil stands for all of them.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    manager.destinationInstances(
      forEntityMappingNamed: mappingName, sourceInstances: sourceInstances
    ).compactMap { $0 as? NSManagedObject }
  }

  /// The objects of which a mapping made some objects of the newer version; nil stands for all of them.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    manager.sourceInstances(
      forEntityMappingNamed: mappingName, destinationInstances: destinationInstances
    ).compactMap { $0 as? NSManagedObject }
  }

  /// Ends the migration before the next object, with an error.
  open func cancelMigrationWithError(_ error: any Error) { manager.cancelMigration(with: error) }

  /// Forgets the associations of former migrations.
  open func reset() {
    manager.reset()
    policies = [:]
  }
}

extension NSMigrationManager: MigrationHost {
  package func stack(over store: any PersistentStore, isOlder: Bool) -> DataStack {
    let model = isOlder ? sourceModel : destinationModel
    let entities = model.entitiesByName
    return DataStack(holding: store) { shape in
      guard let entity = entities[shape.name] else {
        trap("The model has no entity \(shape.name), which its store has.")
      }
      // As in Core Data, policies see plain objects: the classes of the program fit one version alone.
      return EntityClass(NSManagedObject.self, entity: BoundEntity(entity, shape))
    }
  }

  package func hold(_ stack: DataStack, _ context: ManagedObjectContext, isOlder: Bool) {
    let held = NSManagedObjectContext(
      holding: ContextQueue(holding: context), isOlder ? sourceModel : destinationModel)
    if isOlder { sourceContext = held } else { destinationContext = held }
  }
}
