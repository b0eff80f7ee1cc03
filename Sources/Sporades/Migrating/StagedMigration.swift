// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore

/// Takes one store through the stages of a plan.
///
/// Stages without code are one change of the file in place. All others work on a draft of the store, which takes the
/// store's place after the last stage.
struct StagedMigration {
  private let plan: MigrationPlan
  private let path: String
  private let model: ManagedObjectModel
  private let options: SQLiteStoreOptions

  init(
    _ plan: MigrationPlan, of path: String, to model: ManagedObjectModel,
    _ options: SQLiteStoreOptions
  ) {
    self.plan = plan
    self.path = path
    self.model = model
    self.options = options
  }

  /// Several stages that are carried out together.
  private enum Part {
    /// The versions between the first and the last are followed, and no data of theirs are made.
    case inferred([MigrationStage])
    case coded(MigrationStage)
  }

  func run() throws(StoreError) {
    let parts = try parts()
    switch parts.first {
    case nil: return
    case .inferred(let stages) where parts.count == 1:
      return try migrate(storeAt: path, through: stages)
    case .coded(let stage) where parts.count == 1:
      if case .rows(let work) = stage.work {
        return try migrate(storeAt: path, through: [stage], work)
      }
    default: break
    }
    try runOnDraft(parts)
  }

  private func runOnDraft(_ parts: [Part]) throws(StoreError) {
    let progress = options.migration.progress
    let draft = try StoreDraft(of: path, options) { (metadata) throws(StoreError) in
      !model.isConfiguration(
        withName: options.configuration, compatibleWithStoreMetadata: metadata)
    }
    guard let draft else { return }
    for (number, part) in parts.enumerated() {
      try checkCancelled()
      switch part {
      case .inferred(let stages): try migrate(storeAt: draft.path, through: stages)
      case .coded(let stage): try run(stage, on: draft)
      }
      progress?.advance(to: Double(number + 1) / Double(parts.count + 1))
    }
    try checkCancelled()
    try draft.takePlace()
    progress?.advance(to: 1)
  }

  private func parts() throws(StoreError) -> [Part] {
    let metadata = try SQLiteStore.metadata(ofStoreAt: URL(fileURLWithPath: path))
    guard let checksum = metadata.versionChecksum else {
      throw StoreError(
        .incompatibleModel(model.shapes.map(\.name)),
        "The store at \(path) does not say which model wrote it, so no stage can begin there.")
    }
    let stages = try MigrationPath(
      from: checksum, to: model, configuration: options.configuration,
      through: plan.stages
    ).stages
    return stages.reduce(into: []) { parts, stage in
      if case .lightweight = stage.work {
        if case .inferred(let earlier)? = parts.last {
          parts[parts.count - 1] = .inferred(earlier + [stage])
        } else {
          parts.append(.inferred([stage]))
        }
      } else {
        parts.append(.coded(stage))
      }
    }
  }

  private func checkCancelled() throws(StoreError) {
    guard options.migration.progress?.isCancelled == true else { return }
    throw StoreError(.cancelled, "The migration of \(path) was cancelled. The store is as it was.")
  }

  // MARK: - Stages

  /// Migrates a file in place from the first version to the last.
  private func migrate(
    storeAt path: String, through stages: [MigrationStage], _ work: [RowWork] = []
  ) throws(StoreError) {
    guard let last = stages.last else { return }
    var options = options.withoutMigration
    options.migratesBack = true
    if case .custom = last.work { options.leavesMissingValues = true }
    options.migration.versions = try stages.map { (stage) throws(StoreError) in
      try model(of: stage.source, stage)
    }
    options.migration.progress = path == self.path ? self.options.migration.progress : nil
    try SQLiteStore.migrate(
      storeAt: URL(fileURLWithPath: path), to: model(of: last.destination, last),
      options: options, rowWork: work)
  }

  private func run(_ stage: MigrationStage, on draft: StoreDraft) throws(StoreError) {
    switch stage.work {
    case .lightweight: try migrate(storeAt: draft.path, through: [stage])
    case .custom(let willMigrate, let didMigrate):
      try perform(willMigrate, stage, stage.source, on: draft)
      try migrate(storeAt: draft.path, through: [stage])
      try perform(didMigrate, stage, stage.destination, on: draft)
      try SQLiteStore.checkRequiredValues(
        storeAt: draft.path, model(of: stage.destination, stage), options)
    case .rows(let work): try migrate(storeAt: draft.path, through: [stage], work)
    case .mappings(let mappings, let policies, let type):
      let manager = type.init(
        source: try model(of: stage.source, stage),
        destination: try model(of: stage.destination, stage), progress: MigrationProgress())
      for (name, policy) in policies { manager.register(policy, named: name) }
      try carryOut(mappings, by: manager, stage, on: draft)
    }
  }

  /// Carries out mapping models. The draft is another file then, in the same place.
  private func carryOut(
    _ mappings: [MappingModel], by manager: MigrationManager, _ stage: MigrationStage,
    on draft: StoreDraft
  ) throws(StoreError) {
    do {
      let file = URL(fileURLWithPath: draft.path)
      let options = options.withoutMigration
      try manager.rebuild(
        file, in: file, mappings, options, options, stage.source.classes, stage.destination.classes)
    } catch {
      throw failure(of: stage, error)
    }
  }

  /// Runs code of a stage on objects of one of its versions, and saves them.
  private func perform(
    _ work: MigrationStage.ContextWork?, _ stage: MigrationStage,
    _ version: MigrationStage.Version, on draft: StoreDraft
  ) throws(StoreError) {
    guard let work else { return }
    let store = try SQLiteStore(
      path: draft.path, model: model(of: version, stage), options: options.withoutMigration)
    let stack = DataStack(store: store, classes: version.classes)
    var failure: (any Error)?
    do {
      try stack.newContext(name: "migration").performAndWait { context in
        try work(context)
        if context.hasChanges { try context.save() }
      }
    } catch {
      failure = error
    }
    let ending = stack.root.close()
    if let failure { throw self.failure(of: stage, failure) }
    if let ending { throw self.failure(of: stage, ending) }
  }

  private func model(
    of version: MigrationStage.Version, _ stage: MigrationStage
  ) throws(StoreError) -> ManagedObjectModel {
    do throws(ModelError) { return try version.model() } catch {
      throw failure(of: stage, error)
    }
  }

  private func failure(of stage: MigrationStage, _ error: any Error) -> StoreError {
    let name = stage.label.isEmpty ? "A stage" : "The stage \"\(stage.label)\""
    return StoreError(
      (error as? StoreError)?.code ?? .cannotMigrate([]),
      "\(name) of the migration of \(path) failed. The store is as it was. \(error)",
      underlying: error)
  }

  // MARK: - Forecast

  func forecast() throws(StoreError) -> MigrationForecast {
    var forecast = MigrationForecast()
    for part in try parts() {
      switch part {
      case .inferred(let stages):
        forecast.steps.append(.init("change \(stages.count) versions in place"))
      case .coded(let stage):
        forecast.steps.append(.init("run the stage \"\(stage.label)\" on a copy of the store"))
      }
    }
    return forecast
  }
}

extension SQLiteStoreOptions {
  /// The options for opening a draft between two stages.
  fileprivate var withoutMigration: SQLiteStoreOptions {
    var options = self
    options.migration.isAutomatic = false
    options.migration.versions = []
    options.migration.progress = nil
    options.migration.keepsCopy = false
    options.migrationPlan = nil
    options.createsFile = false
    return options
  }
}
