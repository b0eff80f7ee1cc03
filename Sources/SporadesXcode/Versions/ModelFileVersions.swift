// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
package import SporadesModelFiles
import SporadesSQLite
import SporadesStore

/// The versions in a model file, and the mapping models between them.
struct ModelFileVersions {
  let file: @Sendable () throws(ModelError) -> URL
  let folders: [URL]
  let policies: [String: EntityMigrationPolicy.Type]
  let manager: MigrationManager.Type

  var actions: PlanActions {
    PlanActions(
      migrate: { (store, model) throws(StoreError) in try migrate(store, to: model) },
      forecast: { (store, model) throws(StoreError) in try forecast(of: store, to: model) },
      earlier: { model, name in earlierChecksums(than: model, inConfiguration: name) })
  }

  /// The checksums of the versions before that of a model. Those of a compiled file lie beside it.
  private func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] {
    // `try?`, because a version that cannot be read is an error when a store needs it.
    guard let file = try? file(), let versions = try? ModelFile.versions(at: file),
      let own = model.versionChecksum(inConfiguration: name)
    else { return [] }
    let listed = name == nil ? (try? ModelFile.checksums(at: file)) ?? [:] : [:]
    let all = versions.map { version in
      listed[version.name] ?? (try? version.model())?.versionChecksum(inConfiguration: name)
    }
    let order = ModelFileOrder(versions)
    guard let place = order.place(of: own, in: all) else { return [] }
    return order.earlier(than: place).compactMap { all[$0] }.filter { $0 != own }
  }

  private func migrate(
    _ store: StageGround, to model: ManagedObjectModel
  ) throws(StoreError) {
    guard let (plan, _) = try plan(for: store, to: model) else {
      _ = try store.change(inferred(from: store, to: model))
      return
    }
    try plan.actions.migrate(store, model)
  }

  private func forecast(
    of store: StageGround, to model: ManagedObjectModel
  ) throws(StoreError) -> MigrationForecast {
    guard let (plan, passedOver) = try plan(for: store, to: model, notes: true) else {
      return try store.forecast(inferred(from: store, to: model))
    }
    var forecast = try plan.actions.forecast(store, model)
    forecast.notes += passedOver
    return forecast
  }

  /// The change of a store of a version that the file lacks.
  private func inferred(
    from store: StageGround, to model: ManagedObjectModel
  ) throws(StoreError) -> StageChange {
    guard store.options.infersMapping else {
      throw StoreError(
        .cannotMigrate([]),
        "The store's version is not among those of the model file, and the options forbid to infer the changes. Add the "
          + "version and a mapping model, or set infersMapping.")
    }
    return StageChange(to: model, store.options)
  }

  /// The plan through the versions, and with `notes` the mapping models that fit none of them. Nil if the store has no
  /// version of the file.
  private func plan(
    for store: StageGround, to model: ManagedObjectModel, notes: Bool = false
  ) throws(StoreError) -> (plan: MigrationPlan, passedOver: [String])? {
    let metadata = try store.metadata()
    do throws(ModelError) {
      let versions = try ModelFile.versions(at: file())
      var models: [ManagedObjectModel] = []
      for version in versions { models.append(try version.model()) }
      let starts = models.indices.filter {
        models[$0].isConfiguration(
          withName: store.configuration, compatibleWithStoreMetadata: metadata)
      }
      guard !starts.isEmpty else { return nil }
      let mappings = MappingFolders(folders)
      let steps = ModelFileOrder(versions).steps(
        models.map(\.versionChecksum), from: starts, to: model.versionChecksum)
      let stages = try stages(
        steps.map { (models[$0.source], $0.destination.map { models[$0] } ?? model) }, mappings,
        isGuessed: steps.last?.isGuessed ?? false, infers: store.options.infersMapping)
      let passedOver =
        notes ? mappings.passedOver(Array(zip(versions.map(\.name), models))) : []
      return (MigrationPlan(stages), passedOver)
    } catch {
      throw StoreError(
        .cannotMigrate([]),
        "The versions of the model cannot be read, so the store at \(store.place) cannot be migrated. \(error)",
        underlying: error)
    }
  }

  /// A stage for each two versions with a mapping model, and one for each step without.
  private func stages(
    _ steps: [(source: ManagedObjectModel, destination: ManagedObjectModel)],
    _ mappings: MappingFolders, isGuessed: Bool, infers: Bool
  ) throws(ModelError) -> [MigrationStage] {
    let found = try mappings.mappingModels(
      from: steps.map(\.source), to: steps.map(\.destination))
    var stages: [MigrationStage] = []
    for (place, step) in steps.enumerated() {
      for later in place..<steps.count where !found[place, later].isEmpty {
        stages.append(
          MigrationStage(
            "", from: .init(step.source), to: .init(steps[later].destination),
            MappingWork(mappings: found[place, later], policies: policies, manager: manager)))
      }
    }
    for (place, step) in steps.enumerated() where infers && found[place, place].isEmpty {
      stages.append(
        MigrationStage(
          "", from: .init(step.source), to: .init(step.destination), nil,
          isGuessed: isGuessed && place == steps.count - 1))
    }
    return stages
  }
}

/// The order of the versions in a model file.
package struct ModelFileOrder {
  private let names: [String]
  private let current: Int?

  package init(_ versions: [ModelFile.Version]) {
    self.init(names: versions.map(\.name), current: versions.firstIndex(where: \.isCurrent))
  }

  init(names: [String], current: Int?) { (self.names, self.current) = (names, current) }

  /// Whether the names tell the order: `Pets`, `Pets 2`, `Pets 10`, or `Pets`, `Pets v2`, `Pets v3`.
  package var isTold: Bool {
    guard let shortest = names.min(by: { $0.utf8.count < $1.utf8.count }) else { return true }
    let rest = names.filter { $0 != shortest }
    let stems = Set(rest.map(Self.stem))
    guard stems.count <= 1 else { return false }
    return stems.first == Self.stem(shortest) || rest.allSatisfy { $0.hasPrefix(shortest) }
  }

  /// A name without its number, and without what separates the two.
  private static func stem(_ name: String) -> String {
    let letters = name.filter { !$0.isNumber }
    let end = letters.lastIndex(where: \.isLetter)
    return end.map { String(letters[...$0]) } ?? ""
  }

  /// The place of a version with a checksum: the current one, or the last one.
  func place(of checksum: String, in checksums: [String?]) -> Int? {
    if let current, checksums[current] == checksum { return current }
    return checksums.lastIndex(of: checksum)
  }

  /// The places of the versions before one. Where the names tell no order, all others are before the current one.
  func earlier(than place: Int) -> [Int] {
    if isTold { return Array(0..<place) }
    return place == current ? names.indices.filter { $0 != place } : []
  }

  /// A step from one version to another; from the last one to the program's if `destination` is nil.
  struct Step: Equatable {
    let source: Int
    let destination: Int?
    /// Nobody says that the destination follows the source.
    var isGuessed = false
  }

  /// The steps from a store's version to that of a program. `starts` are the places with the store's hashes.
  ///
  /// Neighbours with the same hashes are one version, and versions between two of the same hashes are left out. Steps to a
  /// store that is later than the program lead there from the program's version, so that a plan of them says so.
  func steps(_ checksums: [String], from starts: [Int], to program: String) -> [Step] {
    guard let first = starts.first, let last = starts.last else { return [] }
    let end = place(of: program, in: checksums)
    guard isTold else {
      return [Step(source: last, destination: end, isGuessed: end == nil || end != current)]
    }
    let goal = end ?? checksums.count - 1
    guard let start = starts.last(where: { $0 <= goal }) else {
      return chain(checksums, from: goal, to: first)
    }
    let steps = chain(checksums, from: start, to: goal)
    let isKnown = end != nil || !steps.isEmpty
    return isKnown ? steps : [Step(source: start, destination: nil, isGuessed: true)]
  }

  private func chain(_ checksums: [String], from start: Int, to end: Int) -> [Step] {
    var steps: [Step] = []
    var place = start
    while let last = checksums[place...end].lastIndex(of: checksums[place]), last < end {
      steps.append(Step(source: last, destination: last + 1))
      place = last + 1
    }
    return steps
  }
}
