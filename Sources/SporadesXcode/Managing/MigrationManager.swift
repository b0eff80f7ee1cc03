// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesGraph
public import SporadesModel
public import SporadesModelFiles
package import SporadesStore

/// Migrates objects from one store to another by a mapping model.
///
/// A migration has three passes: it makes the objects of the newer version, links them, and checks them. It reads and
/// writes a batch of objects at a time. An object that is the only successor of another keeps its primary key; see
/// ``renumberedEntities``.
///
/// A manager belongs to one thread. Nobody else may use the two stores meanwhile.
open class MigrationManager {
  /// The older version of the model.
  public let sourceModel: ManagedObjectModel
  /// The newer version of the model.
  public let destinationModel: ManagedObjectModel
  /// The progress, which another thread can watch and cancel.
  public let migrationProgress: MigrationProgress
  /// Values that the program passes to its policies.
  public var userInfo: [String: Any] = [:]
  /// The number of objects that are in memory at a time.
  public var batchSize = 500 {
    didSet { trap(unless: batchSize > 0, "A batch has \(batchSize) objects; use at least 1.") }
  }
  /// The mapping model at work; nil before the first migration.
  public internal(set) var mappingModel: MappingModel?
  /// The entity mapping at work; nil between migrations.
  public internal(set) var currentEntityMapping: EntityMapping?
  /// The entities of the newer version with objects that have other primary keys than their sources, because a source
  /// has several successors, or because objects of several inheritance trees became one.
  public internal(set) var renumberedEntities: Set<String> = []

  /// The manager of another module that this one works for.
  package weak var host: (any MigrationHost)?

  private var policyTypes: [String: EntityMigrationPolicy.Type] = [:]
  private var policies: [String: EntityMigrationPolicy] = [:]
  private var cancellation: (any Error)?
  var tables: [String: AssociationTable] = [:]
  var keptTrees: Set<Int> = []
  var progressPart = 0.0..<1.0
  var contexts: (source: ManagedObjectContext, destination: ManagedObjectContext)?
  /// The time that `now()` stands for in all expressions.
  var beginning = Date()
  /// The place at work, for errors.
  var place = MigrationPlace()

  /// Makes a manager for migrations between two versions.
  public required init(
    source: ManagedObjectModel, destination: ManagedObjectModel,
    progress: MigrationProgress = MigrationProgress()
  ) {
    sourceModel = source
    destinationModel = destination
    migrationProgress = progress
  }

  // MARK: - Policies

  /// Names a class of policies, so that mapping models find it. A mapping model may put the name of a module and a
  /// point before the name. Without a name, the name of the class serves.
  public func register(_ policy: EntityMigrationPolicy.Type, named name: String? = nil) {
    policyTypes[name ?? "\(policy)"] = policy
  }

  /// The class of a policy; nil if the program has registered none with the name.
  func policyType(named name: String) -> EntityMigrationPolicy.Type? {
    policyTypes[name] ?? name.split(separator: ".").last.flatMap { policyTypes[String($0)] }
  }

  func policy(for mapping: EntityMapping) -> EntityMigrationPolicy {
    if let known = policies[mapping.name] { return known }
    let type = mapping.entityMigrationPolicyClassName.flatMap(policyType)
    let policy = (type ?? EntityMigrationPolicy.self).init()
    policies[mapping.name] = policy
    return policy
  }

  func forgetPolicies() { policies = [:] }

  // MARK: - Contexts and entities

  /// The context with the objects of the older version. It exists while a migration runs.
  public var sourceContext: ManagedObjectContext { openContexts.source }

  /// The context with the objects of the newer version. It exists while a migration runs.
  public var destinationContext: ManagedObjectContext { openContexts.destination }

  private var openContexts: (source: ManagedObjectContext, destination: ManagedObjectContext) {
    guard let contexts else {
      trap(
        "A migration manager was asked for a context while no migration runs. Use its contexts in policies."
      )
    }
    return contexts
  }

  /// The older entity of a mapping; nil if the mapping reads no objects.
  public func sourceEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap { sourceModel.shape(named: $0)?.description }
  }

  /// The newer entity of a mapping; nil if the mapping makes no objects.
  public func destinationEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap { destinationModel.shape(named: $0)?.description }
  }

  // MARK: - Cancelling

  /// Ends the migration before the next object. The migration throws `error`.
  public func cancelMigration(with error: any Error) { cancellation = error }

  func checkCancelling() throws {
    if let cancellation { throw cancellation }
    guard migrationProgress.isCancelled else { return }
    throw StoreError(.cancelled, "The migration was cancelled.")
  }

  /// Forgets the associations of former migrations, so that the manager is like new. Without it, the next migration
  /// of the manager finds the objects of the former one: two mapping models can fill one store.
  public func reset() {
    tables = [:]
    renumberedEntities = []
    cancellation = nil
    mappingModel = nil
    forgetPolicies()
  }
}

/// A manager of another module, whose policies see the objects under names of its own.
package protocol MigrationHost: AnyObject {
  /// Makes the stack over one of the two stores.
  func stack(over store: any PersistentStore, isOlder: Bool) -> DataStack
  /// Hears of the context over one of the two stores.
  func hold(_ stack: DataStack, _ context: ManagedObjectContext, isOlder: Bool)
}
