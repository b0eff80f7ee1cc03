// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesSQLite
package import SporadesStore

/// Takes one store through the stages of a plan.
///
/// Stages without code are one change of the store in place. All others work on a draft, which takes the store's place after
/// the last stage.
struct StagedMigration {
  private let planned: [MigrationStage]
  let store: StageGround
  let model: ManagedObjectModel
  var options: MigrationOptions { store.options }
  private var configuration: String? { store.configuration }

  init(_ planned: [MigrationStage], of store: StageGround, to model: ManagedObjectModel) {
    (self.planned, self.store, self.model) = (planned, store, model)
  }

  /// Several stages that are carried out together.
  enum Part {
    /// The versions between the first and the last are followed, and no data of theirs are made.
    case inferred([MigrationStage])
    case coded(MigrationStage, MigrationStage.Code)

    /// The first stage.
    var stage: MigrationStage? {
      switch self {
      case .inferred(let stages): stages.first
      case .coded(let stage, _): stage
      }
    }
  }

  func run() throws(StoreError) {
    let parts = try parts()
    switch parts.first {
    case nil: return
    case .inferred(let stages) where parts.count == 1: try migrateInPlace(stages)
    case .coded(let stage, .rows(let work)) where parts.count == 1:
      try migrateInPlace([stage], work)
    default: try runOnDraft(parts)
    }
  }

  private func migrateInPlace(
    _ stages: [MigrationStage], _ work: [RowWork] = []
  ) throws(StoreError) {
    try migrate(store, through: stages, options.progress, work, keepsCopy: options.keepsCopy)
  }

  private func runOnDraft(_ parts: [Part]) throws(StoreError) {
    let progress = options.progress
    guard let first = parts.first?.stage,
      let draft = try store.draft(
        model(of: first.source, first),
        { (metadata) throws(StoreError) in
          !model.isConfiguration(
            withName: configuration, compatibleWithStoreMetadata: metadata)
        })
    else { return }
    for (number, part) in parts.enumerated() {
      try checkCancelled()
      let share = 1 / Double(parts.count + 1)
      let start = share * Double(number)
      let own = progress.map { MigrationProgress(of: start...start + share, in: $0) }
      do throws(StoreError) {
        switch part {
        case .inferred(let stages): try migrate(draft.ground, through: stages, own)
        case .coded(let stage, let code): try run(code, of: stage, on: draft.ground, own)
        }
      } catch {
        throw error.naming(store.place, insteadOf: draft.ground.place)
      }
      progress?.advance(to: start + share)
    }
    try checkCancelled()
    try draft.takePlace()
    progress?.advance(to: 1)
  }

  func parts() throws(StoreError) -> [Part] {
    let metadata = try store.metadata()
    guard let checksum = metadata.versionChecksum else {
      throw StoreError(
        .incompatibleModel(model.shapes.map(\.name)),
        "The store at \(store.place) does not say which model wrote it, so no stage can begin there."
      )
    }
    let stages = try MigrationPath(
      from: checksum, to: model, configuration: configuration, through: planned,
      isOlder: model.isEarlier(
        thanStoreWith: metadata, inConfiguration: configuration),
      nearest: { NearestVersion(planned, of: store, metadata, to: model) }
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
    guard options.progress?.isCancelled == true else { return }
    throw StoreError(
      .cancelled, "The migration of \(store.place) was cancelled. The store is as it was.")
  }

  // MARK: - Stages

  /// Changes a store from the first version to the last. Returns where its rows went.
  @discardableResult
  private func migrate(
    _ ground: StageGround, through stages: [MigrationStage], _ progress: MigrationProgress?,
    _ work: [RowWork] = [], code: StageCode = [], isSeen: Bool = false, keepsCopy: Bool = false
  ) throws(StoreError) -> RowSuccessors? {
    guard let change = try change(through: stages, code, work, isSeen: isSeen) else { return nil }
    change.options.progress = progress
    change.options.keepsCopy = keepsCopy
    return try ground.change(change)
  }

  /// The version that a stage leads to. The program's takes the place of one with the same hashes, and may say more of former
  /// names.
  func end(of stage: MigrationStage) throws(StoreError) -> ManagedObjectModel {
    let version = try model(of: stage.destination, stage)
    return version.versionChecksum == model.versionChecksum ? model : version
  }

  /// The change that is inferred from the versions of stages; nil without a stage.
  func change(
    through stages: [MigrationStage], _ code: StageCode, _ work: [RowWork], isSeen: Bool = false
  ) throws(StoreError) -> StageChange? {
    guard let last = stages.last else { return nil }
    let change = StageChange(to: try end(of: last), options.withoutMigration)
    change.migratesBack = true
    (change.code, change.rowWork) = (code, work)
    // A stage names both of its versions. Code that works on both has seen what goes.
    let isDeclared = !stages.contains(where: \.isGuessed)
    let allowsGuesses = options.allowsLosses(isDeclared: false)
    if allowsGuesses || isDeclared && (options.losses != .refused || isSeen) {
      change.options.losses = .allowed
    }
    for stage in stages {
      change.options.versions.append(try model(of: stage.source, stage))
      // A guessed stage ends at the program's version. Another one's end may say more of former names than the beginning of
      // the next stage, which has the same hashes.
      if isDeclared { change.options.versions.append(try model(of: stage.destination, stage)) }
    }
    return change
  }

  private func run(
    _ code: MigrationStage.Code, of stage: MigrationStage, on ground: StageGround,
    _ progress: MigrationProgress?
  ) throws(StoreError) {
    switch code {
    case .custom(let make):
      let code = make()
      let phases = StagePhases(code, progress ?? MigrationProgress())
      let former = try perform(
        code.willMigrate, stage, stage.source, on: ground, phases.before)
      // Required values are checked in any case when all code has run.
      let successors = try migrate(
        ground, through: [stage], phases.changes, code: .after, isSeen: code.willMigrate != nil)
      try checkCancelled()
      let rows = former.flatMap { former in successors.map { FormerRows(of: former, $0) } }
      try perform(
        code.didMigrate, stage, stage.destination, on: ground, phases.after, after: rows)
      try naming(stage) { () throws(StoreError) in
        try ground.checkRequiredValues(model(of: stage.destination, stage))
      }
    case .rows(let work):
      try naming(stage) { () throws(StoreError) in
        try migrate(ground, through: [stage], progress, work)
      }
    case .work(let work):
      let room = try room(of: stage, on: ground, progress)
      do { try work.run(in: room) } catch { throw failure(of: stage, error) }
    }
  }

  /// The store and the versions of a stage, for work of another module.
  func room(
    of stage: MigrationStage, on ground: StageGround, _ progress: MigrationProgress? = nil
  ) throws(StoreError) -> StageRoom {
    StageRoom(
      stage, try model(of: stage.source, stage), try model(of: stage.destination, stage),
      on: ground, progress ?? MigrationProgress())
  }

  /// Runs code of a stage on objects of one of its versions, and saves them. Returns their stack, which has ended.
  @discardableResult
  private func perform(
    _ work: MigrationStage.ContextWork?, _ stage: MigrationStage,
    _ version: MigrationStage.Version, on ground: StageGround, _ progress: MigrationProgress,
    after formerRows: FormerRows? = nil
  ) throws(StoreError) -> DataStack? {
    guard let work else { return nil }
    let model = try model(of: version, stage)
    let rows = try ground.estimatedRows(model)
    let stack = DataStack(store: try ground.open(model), classes: version.classes)
    let cancellation = Cancellation { read in
      progress.advance(to: StagePhases.fraction(read, of: rows))
    }
    options.progress?.whenCancelled { cancellation.cancel() }
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

  func model(
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
      ", in its code on objects of \($0.name(inConfiguration: configuration))"
    }
    let foreign = version.flatMap { foreignClass(stage, error, on: $0) }
    return StoreError(
      (error as? StoreError)?.code ?? .cannotMigrate([]),
      "The \(stage.name(inConfiguration: configuration)) of the migration of \(store.place) failed\(code ?? ""). The store is "
        + "as it was. \(foreign ?? "\(error)")",
      underlying: foreign == nil ? error : nil)
  }

  /// The mistake of a stage's code with a class that the other version of the stage alone has; nil if the error is another one.
  private func foreignClass(
    _ stage: MigrationStage, _ error: any Error, on version: MigrationStage.Version
  ) -> String? {
    guard case .unboundClass(let name, nil)? = error as? ContextError else { return nil }
    let owner = [stage.source, stage.destination].first { version in
      version.classes.contains { "\($0)" == name }
    }
    guard let owner else { return nil }
    let (here, there) = (
      version.name(inConfiguration: configuration),
      owner.name(inConfiguration: configuration)
    )
    guard here != there else { return nil }
    return
      "\(here) has no \(name). The class is one of \(there): use it in the code on objects of that version."
  }
}

extension StoreError {
  /// The same error about the store in whose place a draft was worked on.
  package func naming(_ path: String, insteadOf draft: String) -> StoreError {
    guard path != draft, detail.contains(draft) else { return self }
    let text = detail.replacing("\(draft): ", with: "").replacing(draft, with: path)
    return StoreError(code, text, underlying: underlying)
  }
}
