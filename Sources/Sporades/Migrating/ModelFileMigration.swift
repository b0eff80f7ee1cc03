// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesGraph
public import SporadesModel
public import SporadesModelFiles
public import SporadesSQLite
public import SporadesStore

/// A migration through the versions in an `.xcdatamodeld` or `.momd`, in the order of their names: `Pets`, `Pets 2`,
/// `Pets 10`.
///
/// Between two versions the changes are inferred, unless a mapping model in the folders is made for them. A store of a
/// version that the file lacks is migrated with the model that it carries. The files are read when a store needs them.
public final class ModelFileMigration: StoreMigrationPlan {
  private let actions: PlanActions

  private init(_ actions: PlanActions) { self.actions = actions }

  /// Reads the versions of a model file, and mapping models in folders. `policies` are the classes that the mapping
  /// models name, and `manager` carries the mapping models out.
  public convenience init(
    contentsOf url: URL, mappingModelsIn folders: [URL] = ModelFile.searchFolders,
    policies: [String: EntityMigrationPolicy.Type] = [:],
    manager: MigrationManager.Type = MigrationManager.self
  ) {
    self.init(
      ModelFileVersions(
        file: { () throws(ModelError) in url }, folders: folders, policies: policies,
        manager: manager
      ).actions)
  }

  /// Reads the versions of the model that `ManagedObjectModel(named:in:)` finds.
  public convenience init(
    modelNamed name: String, in folders: [URL] = ModelFile.searchFolders,
    policies: [String: EntityMigrationPolicy.Type] = [:],
    manager: MigrationManager.Type = MigrationManager.self
  ) {
    self.init(
      ModelFileVersions(
        file: { () throws(ModelError) in
          try ManagedObjectModel.findFile(named: name, in: folders)
        }, folders: folders, policies: policies, manager: manager
      ).actions)
  }

  public func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) {
    try actions.migrate(url, model, options)
  }

  public func forecast(
    forStoreAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) -> MigrationForecast {
    try actions.forecast(url, model, options)
  }

  public func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] { actions.earlier(model, name) }
}

/// The versions in a model file, and the mapping models between them.
private struct ModelFileVersions {
  let file: @Sendable () throws(ModelError) -> URL
  let folders: [URL]
  let policies: [String: EntityMigrationPolicy.Type]
  let manager: MigrationManager.Type

  var actions: PlanActions {
    PlanActions(
      migrate: { (url, model, options) throws(StoreError) in
        try migrate(storeAt: url, to: model, options: options)
      },
      forecast: { (url, model, options) throws(StoreError) in
        try forecast(forStoreAt: url, to: model, options: options)
      }, earlier: { model, name in earlierChecksums(than: model, inConfiguration: name) })
  }

  /// The checksums of the versions before the first one with the hashes of a model. Those of a compiled file lie beside it.
  private func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] {
    // `try?`, because a version that cannot be read is an error when a store needs it.
    guard let file = try? file(), let versions = try? ModelFile.versions(at: file) else {
      return []
    }
    let listed = name == nil ? (try? ModelFile.checksums(at: file)) ?? [:] : [:]
    let own = model.versionChecksum(inConfiguration: name)
    let all = versions.map { version in
      listed[version.name] ?? (try? version.model())?.versionChecksum(inConfiguration: name)
    }
    guard let place = all.firstIndex(of: own) else { return [] }
    return all[..<place].compactMap(\.self)
  }

  private func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) {
    guard let plan = try plan(forStoreAt: url, to: model, options) else {
      return try SQLiteStore.migrate(storeAt: url, to: model, options: inferring(options))
    }
    try plan.migrate(storeAt: url, to: model, options: options)
  }

  private func forecast(
    forStoreAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) -> MigrationForecast {
    guard let plan = try plan(forStoreAt: url, to: model, options) else {
      return try SQLiteStore.migrationForecast(
        forStoreAt: url, to: model, options: inferring(options))
    }
    return try plan.forecast(forStoreAt: url, to: model, options: options)
  }

  /// The options for a store of a version that the file lacks.
  private func inferring(_ options: SQLiteStoreOptions) throws(StoreError) -> SQLiteStoreOptions {
    guard options.migration.infersMapping else {
      throw StoreError(
        .cannotMigrate([]),
        "The store's version is not among those of the model file, and the options forbid to infer the changes. Add the "
          + "version and a mapping model, or set infersMapping.")
    }
    var options = options
    options.migrationPlan = nil
    return options
  }

  /// The plan through the versions; nil if the store has none of them.
  private func plan(
    forStoreAt url: URL, to model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws(StoreError) -> MigrationPlan? {
    let metadata = try SQLiteStore.metadata(ofStoreAt: url)
    do throws(ModelError) {
      var models: [ManagedObjectModel] = []
      for version in try ModelFile.versions(at: file()) { models.append(try version.model()) }
      let start = models.firstIndex {
        $0.isConfiguration(
          withName: options.configuration, compatibleWithStoreMetadata: metadata)
      }
      guard let start else { return nil }
      let end = models.firstIndex { $0.versionChecksum == model.versionChecksum }
      return MigrationPlan(
        try stages(
          models, from: start, to: end ?? models.count - 1,
          infers: options.migration.infersMapping))
    } catch {
      throw StoreError(
        .cannotMigrate([]),
        "The versions of the model cannot be read, so the store at \(url.path) cannot be migrated. \(error)",
        underlying: error)
    }
  }

  /// A stage for each two versions with a mapping model between the store's and the program's, and one from each
  /// version to the next.
  private func stages(
    _ models: [ManagedObjectModel], from start: Int, to end: Int, infers: Bool
  ) throws(ModelError) -> [MigrationStage] {
    var stages: [MigrationStage] = []
    var mapped: Set<Int> = []
    if start < end, MappingModel.areThere(in: folders) {
      for earlier in start..<end {
        for later in (earlier + 1)...end {
          let (source, destination) = (models[earlier], models[later])
          let mappings = try MappingModel.mappingModels(
            from: folders, forSource: source, destination: destination)
          guard !mappings.isEmpty else { continue }
          stages.append(
            MigrationStage(
              "", .init(source), .init(destination),
              .mappings(
                mappings, policies: policies, manager)))
          if later == earlier + 1 { mapped.insert(earlier) }
        }
      }
    }
    for index in models.indices.dropLast() where infers && !mapped.contains(index) {
      stages.append(.lightweight(from: models[index], to: models[index + 1]))
    }
    return stages
  }
}
