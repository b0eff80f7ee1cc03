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
  private let planned: [MigrationStage]
  private let path: String
  private let model: ManagedObjectModel
  private let options: SQLiteStoreOptions

  init(
    _ planned: [MigrationStage], of path: String, to model: ManagedObjectModel,
    _ options: SQLiteStoreOptions
  ) {
    self.planned = planned
    self.path = path
    self.model = model
    self.options = options
  }

  /// Several stages that are carried out together.
  private enum Part {
    /// The versions between the first and the last are followed, and no data of theirs are made.
    case inferred([MigrationStage])
    case coded(MigrationStage, MigrationStage.Code)
  }

  func run() throws(StoreError) {
    let parts = try parts()
    switch parts.first {
    case nil: return
    case .inferred(let stages) where parts.count == 1:
      try migrate(storeAt: path, through: stages, options.migration.progress)
      return
    case .coded(let stage, .rows(let work)) where parts.count == 1:
      try migrate(storeAt: path, through: [stage], options.migration.progress, work)
      return
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
      let share = 1 / Double(parts.count + 1)
      let start = share * Double(number)
      let own = progress.map { MigrationProgress(of: start...start + share, in: $0) }
      do throws(StoreError) {
        switch part {
        case .inferred(let stages): try migrate(storeAt: draft.path, through: stages, own)
        case .coded(let stage, let code): try run(code, of: stage, on: draft, own)
        }
      } catch {
        throw error.naming(path, insteadOf: draft.path)
      }
      progress?.advance(to: start + share)
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
      from: checksum, to: model, configuration: options.configuration, through: planned,
      nearest: { NearestVersion(planned, of: path, metadata, to: model, options.configuration) }
    ).stages
    return stages.reduce(into: []) { parts, stage in
      if let code = stage.code {
        parts.append(.coded(stage, code))
      } else if case .inferred(let earlier)? = parts.last, !stage.isGuessed {
        parts[parts.count - 1] = .inferred(earlier + [stage])
      } else {
        parts.append(.inferred([stage]))
      }
    }
  }

  private func checkCancelled() throws(StoreError) {
    guard options.migration.progress?.isCancelled == true else { return }
    throw StoreError(.cancelled, "The migration of \(path) was cancelled. The store is as it was.")
  }

  // MARK: - Stages

  /// Migrates a file in place from the first version to the last. Returns where its rows went.
  @discardableResult
  private func migrate(
    storeAt path: String, through stages: [MigrationStage], _ progress: MigrationProgress?,
    _ work: [RowWork] = [], code: StageCode = []
  ) throws(StoreError) -> RowSuccessors? {
    guard let last = stages.last else { return nil }
    var options = try self.options(through: stages, code)
    options.migration.progress = progress
    return try SQLiteStore.migrate(
      storeAt: URL(fileURLWithPath: path), to: model(of: last.destination, last),
      options: options, rowWork: work)
  }

  /// The options for the changes that are inferred from the versions of stages.
  private func options(
    through stages: [MigrationStage], _ code: StageCode
  ) throws(StoreError) -> SQLiteStoreOptions {
    var options = options.withoutMigration
    options.migratesBack = true
    // A stage names both of its versions.
    if !stages.contains(where: \.isGuessed) { options.migration.losses = .allowed }
    options.stageCode = code
    options.migration.versions = try stages.map { (stage) throws(StoreError) in
      try model(of: stage.source, stage)
    }
    return options
  }

  private func run(
    _ code: MigrationStage.Code, of stage: MigrationStage, on draft: StoreDraft,
    _ progress: MigrationProgress?
  ) throws(StoreError) {
    switch code {
    case .custom(let make):
      let code = make()
      let phases = StagePhases(code, progress ?? MigrationProgress())
      let former = try perform(
        code.willMigrate, stage, stage.source, on: draft, phases.before)
      // Required values are checked in any case when all code has run.
      let successors = try migrate(
        storeAt: draft.path, through: [stage], phases.changes, code: .after)
      try checkCancelled()
      let rows = former.flatMap { former in successors.map { FormerRows(of: former, $0) } }
      try perform(
        code.didMigrate, stage, stage.destination, on: draft, phases.after, after: rows)
      try naming(stage) { () throws(StoreError) in
        try SQLiteStore.checkRequiredValues(
          storeAt: draft.path, model(of: stage.destination, stage), options)
      }
    case .rows(let work):
      try naming(stage) { () throws(StoreError) in
        try migrate(storeAt: draft.path, through: [stage], progress, work)
      }
    case .mappings(let mappings, let policies, let type):
      let manager = type.init(
        source: try model(of: stage.source, stage),
        destination: try model(of: stage.destination, stage),
        progress: progress ?? MigrationProgress())
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

  /// Runs code of a stage on objects of one of its versions, and saves them. Returns their stack, which has ended.
  @discardableResult
  private func perform(
    _ work: MigrationStage.ContextWork?, _ stage: MigrationStage,
    _ version: MigrationStage.Version, on draft: StoreDraft, _ progress: MigrationProgress,
    after formerRows: FormerRows? = nil
  ) throws(StoreError) -> DataStack? {
    guard let work else { return nil }
    let model = try model(of: version, stage)
    let rows = try SQLiteStore.estimatedRows(ofStoreAt: draft.path, model, options)
    let store = try SQLiteStore(
      path: draft.path, model: model, options: options.withoutMigration)
    let stack = DataStack(store: store, classes: version.classes)
    let cancellation = Cancellation { read in
      progress.advance(to: StagePhases.fraction(read, of: rows))
    }
    options.migration.progress?.whenCancelled { cancellation.cancel() }
    var failure: (any Error)?
    do {
      try cancellation.run {
        try stack.newContext(name: "migration").performStage(after: formerRows, work)
      }
    } catch {
      failure = error
    }
    let ending = stack.root.close()
    if let failure { throw self.failure(of: stage, failure, on: version) }
    if let ending { throw self.failure(of: stage, ending, on: version) }
    progress.advance(to: 1)
    return stack
  }

  private func model(
    of version: MigrationStage.Version, _ stage: MigrationStage
  ) throws(StoreError) -> ManagedObjectModel {
    do throws(ModelError) { return try version.model() } catch {
      throw failure(of: stage, error)
    }
  }

  /// Lets an error about the work of a stage name the stage.
  private func naming(
    _ stage: MigrationStage, _ step: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) { try step() } catch {
      switch error.code {
      case .cannotMigrate, .unsupported:
        // The detail has the whole error, so that it need not follow as the cause.
        let failure = failure(of: stage, error)
        throw StoreError(failure.code, failure.detail, underlying: error.underlying)
      default: throw error
      }
    }
  }

  /// The error of a stage, or of its code on objects of a version.
  private func failure(
    of stage: MigrationStage, _ error: any Error, on version: MigrationStage.Version? = nil
  ) -> StoreError {
    let code = version.map {
      ", in its code on objects of \($0.name(inConfiguration: options.configuration))"
    }
    return StoreError(
      (error as? StoreError)?.code ?? .cannotMigrate([]),
      "The \(stage.name(inConfiguration: options.configuration)) of the migration of \(path) failed\(code ?? ""). The store is "
        + "as it was. \(error)",
      underlying: error)
  }

  // MARK: - Forecast

  /// The first part is foretold in full. Later parts meet a store that does not exist yet, so each of them is one step.
  func forecast() throws(StoreError) -> MigrationForecast {
    let parts = try parts()
    guard let first = parts.first else { return MigrationForecast() }
    var forecast = try forecast(of: first)
    forecast.steps += parts.dropFirst().map { .init(text(of: $0)) }
    if parts.count > 1 {
      forecast.notes.append(
        "The rows and losses are those of the first of \(parts.count) parts of the plan. Each later part works on what "
          + "the earlier ones made.")
    }
    if case .coded(_, .rows) = first, parts.count == 1 { return forecast }
    if case .inferred = first, parts.count == 1 { return forecast }
    forecast.steps.insert(.init("copy the store to a draft beside it"), at: 0)
    // The draft is a copy of the file that was just read.
    forecast.bytes += SystemFile.size(path) ?? 0
    return forecast
  }

  private func forecast(of part: Part) throws(StoreError) -> MigrationForecast {
    switch part {
    case .inferred(let stages): return try inferredForecast(stages, [])
    case .coded(let stage, .rows(let work)):
      var forecast = try inferredForecast([stage], work)
      forecast.steps.append(.init(text(of: part)))
      return forecast
    case .coded(let stage, .custom(let make)):
      let code = make()
      var parts: StageCode = []
      if code.willMigrate != nil { parts.insert(.before) }
      if code.didMigrate != nil { parts.insert(.after) }
      var forecast = try inferredForecast([stage], [], parts)
      forecast.steps.append(.init(text(of: part)))
      return forecast
    case .coded(_, .mappings): return MigrationForecast(steps: [.init(text(of: part))])
    }
  }

  private func inferredForecast(
    _ stages: [MigrationStage], _ work: [RowWork], _ code: StageCode = []
  ) throws(StoreError) -> MigrationForecast {
    guard let last = stages.last else { return MigrationForecast() }
    return try SQLiteStore.migrationForecast(
      forStoreAt: URL(fileURLWithPath: path), to: model(of: last.destination, last),
      options: options(through: stages, code), rowWork: work)
  }

  private func text(of part: Part) -> String {
    switch part {
    case .inferred(let stages):
      return stages.count == 1
        ? "change one version in place" : "change \(stages.count) versions in place"
    case .coded(let stage, let code):
      let name = stage.label.isEmpty ? "a stage" : "the stage \"\(stage.label)\""
      switch code {
      case .custom: return "run the code of \(name) on objects"
      case .rows: return "run the code of \(name) on rows"
      case .mappings(let mappings, _, _):
        return
          "make the objects of \(name) by \(mappings.count == 1 ? "a mapping model" : "\(mappings.count) mapping models")"
      }
    }
  }
}

extension StoreError {
  /// The same error about the store in whose place a draft was worked on.
  fileprivate func naming(_ path: String, insteadOf draft: String) -> StoreError {
    guard detail.contains(draft) else { return self }
    let text = detail.replacing("\(draft): ", with: "").replacing(draft, with: path)
    return StoreError(code, text, underlying: underlying)
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
