// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore

/// The stages that lead from the version of a store to the version of the program.
struct MigrationPath {
  let stages: [MigrationStage]

  /// Finds the fewest stages. `checksum` is that of the store's version, `nearest` describes the store in errors, and
  /// `isOlder` says that the store remembers the program's version as an earlier one.
  ///
  /// If the stages end at a version before the program's, the last step is inferred.
  init(
    from checksum: String, to model: ManagedObjectModel, configuration: String?,
    through stages: [MigrationStage], isOlder: Bool = false,
    nearest: () -> NearestVersion? = { nil }
  ) throws(StoreError) {
    let edges = try stages.map { (stage) throws(StoreError) in try Edge(stage, configuration) }
    if configuration == nil { try Self.checkDistinct(edges) }
    // A configuration that the model lacks is refused when the store is opened.
    let goal = model.versionChecksum(inConfiguration: configuration) ?? ""
    let known = Set(edges.flatMap { [$0.source, $0.destination] })
    let paths = Self.paths(from: checksum, edges)
    if let found = paths[goal] {
      self.stages = found.map(\.stage)
    } else if known.contains(checksum), !known.contains(goal) {
      self.stages = Self.inferringTheRest(paths, edges, to: model, checksum)
    } else {
      let version =
        edges.lazy.compactMap { edge in
          edge.source == checksum
            ? edge.stage.source : edge.destination == checksum ? edge.stage.destination : nil
        }.first
      if isOlder, version == nil { throw Self.downgrade(to: model, nearest()) }
      throw Self.refusal(
        of: model, checksum, edges, known: version?.name(inConfiguration: configuration),
        reaching: edges.filter { paths[$0.destination] != nil && $0.destination != checksum },
        configuration, nearest())
    }
  }

  /// The checksums of the versions from which stages lead to a model and not back, and of all versions where no stage ends at
  /// the model.
  static func checksums(
    before model: ManagedObjectModel, _ configuration: String?, _ stages: [MigrationStage]
  ) -> [String] {
    // `try?`, because a version that cannot be read is an error when a store needs it.
    let edges = stages.compactMap { try? Edge($0, configuration) }
    let known = edges.flatMap { [$0.source, $0.destination] }
    guard let goal = model.versionChecksum(inConfiguration: configuration), known.contains(goal)
    else { return known }
    let later = paths(from: goal, edges)
    return known.filter { later[$0] == nil && paths(from: $0, edges)[goal] != nil }
  }

  /// Refuses two stages for one step, of which one would never run. In a configuration, versions may be equal that
  /// differ as a whole. Between versions with the same hashes there is nothing to do without code.
  private static func checkDistinct(_ edges: [Edge]) throws(StoreError) {
    var seen: Set<[String]> = []
    for edge in edges
    where (edge.source != edge.destination || edge.stage.code != nil)
      && !seen.insert([edge.source, edge.destination]).inserted
    {
      let names = [edge.stage.source, edge.stage.destination].map {
        $0.name(inConfiguration: nil)
      }
      throw StoreError(
        .unsupported,
        "Two stages of the migration plan lead from \(names[0]) to \(names[1]), and only one of them would run. Make one "
          + "stage of both.")
    }
  }

  /// The stages to the last version that can be reached, and from there to the model.
  private static func inferringTheRest(
    _ paths: [String: [Edge]], _ edges: [Edge], to model: ManagedObjectModel, _ start: String
  ) -> [MigrationStage] {
    let last = edges.last { paths[$0.source] != nil && $0.destination != start }
    let version =
      last?.stage.destination ?? edges.last { $0.destination == start }?.stage.destination
    guard let version else { return [] }
    let path = last.flatMap { paths[$0.destination] } ?? []
    var rest = MigrationStage("", version, .init(model))
    rest.isGuessed = true
    return path.map(\.stage) + [rest]
  }

  private static func downgrade(
    to model: ManagedObjectModel, _ nearest: NearestVersion?
  ) -> StoreError {
    StoreError(
      .incompatibleModel(nearest?.names ?? model.shapes.map(\.name)),
      "The store was written with a later version of the model than the program's, and no stage of the migration plan leads "
        + "back. Open it with a newer version of the program.\(nearest?.ofProgram ?? "")")
  }

  private static func refusal(
    of model: ManagedObjectModel, _ checksum: String, _ edges: [Edge], known name: String?,
    reaching reached: [Edge], _ configuration: String?, _ nearest: NearestVersion?
  ) -> StoreError {
    let reason: String
    if let name {
      let ends = reached.map { $0.stage.destination.name(inConfiguration: configuration) }
      let gap = ends.last.map { " They lead from there to \($0), and no further." } ?? ""
      let turned = edges.first { $0.destination == checksum && reached.isEmpty }.map {
        " The stage from \($0.stage.source.name(inConfiguration: configuration)) leads to it: if that is the newer version, "
          + "exchange fromVersion and toVersion."
      }
      reason =
        "No stage of the migration plan leads from the store's version, \(name), to the program's.\(gap)\(turned ?? "")\(nearest?.ofProgram ?? "") "
        + "If the program is older than the store, use a newer one; else add the stage."
    } else {
      reason =
        "The migration plan does not know the store's version, whose checksum is \(checksum). It knows "
        + "\(list(edges, configuration)).\(nearest?.ofPlan ?? "") Add a stage from the store's version."
    }
    return StoreError(.incompatibleModel(nearest?.names ?? model.shapes.map(\.name)), reason)
  }

  private struct Edge {
    let stage: MigrationStage
    let source: String
    let destination: String

    init(_ stage: MigrationStage, _ configuration: String?) throws(StoreError) {
      self.stage = stage
      do throws(ModelError) {
        source = try stage.source.checksum(inConfiguration: configuration)
        destination = try stage.destination.checksum(inConfiguration: configuration)
      } catch {
        throw StoreError(
          .unsupported, "A version of the migration plan cannot be read. \(error)",
          underlying: error)
      }
    }
  }

  /// The shortest path to each version that can be reached.
  private static func paths(from start: String, _ edges: [Edge]) -> [String: [Edge]] {
    var paths: [String: [Edge]] = [start: []]
    var queue = [start]
    while !queue.isEmpty {
      let version = queue.removeFirst()
      for edge in edges where edge.source == version && paths[edge.destination] == nil {
        paths[edge.destination] = (paths[version] ?? []) + [edge]
        queue.append(edge.destination)
      }
    }
    return paths
  }

  private static func list(_ edges: [Edge], _ configuration: String?) -> String {
    var names: [String] = []
    for version in edges.flatMap({ [$0.stage.source, $0.stage.destination] }) {
      let name = version.name(inConfiguration: configuration)
      if !names.contains(name) { names.append(name) }
    }
    return names.isEmpty ? "no versions" : names.joined(separator: ", ")
  }
}
