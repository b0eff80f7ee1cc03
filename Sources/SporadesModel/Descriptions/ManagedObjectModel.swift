// SPDX-License-Identifier: MIT

/// One version of a model: its entities, and what is said of all of them.
///
/// A model is a value, and valid by construction: a wrong one cannot be made. The error that
/// refuses it lists every problem.
public struct ManagedObjectModel: Sendable {
  private let storage: Storage

  public init(
    entities: [EntityDescription], configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequest] = [:], versionIdentifiers: Set<String> = []
  ) throws(ModelError) {
    let contents = Contents(
      entities: entities, configurations: configurations,
      fetchRequestTemplates: fetchRequestTemplates, versionIdentifiers: versionIdentifiers)
    let problems = ModelValidation.problems(of: contents)
    guard problems.isEmpty else { throw ModelError(problems) }
    storage = Storage(contents, ShapeCompiler(entities).compile())
  }

  public var entities: [EntityDescription] { storage.contents.entities }
  public var entitiesByName: [String: EntityDescription] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
  }
  /// The names of the entities of each named part of the model.
  public var configurations: [String: [String]] { storage.contents.configurations }
  public var fetchRequestTemplates: [String: FetchRequest] {
    storage.contents.fetchRequestTemplates
  }
  public var versionIdentifiers: Set<String> { storage.contents.versionIdentifiers }

  /// The shapes of all entities; the entity with number *n* is at *n* − 1.
  public var shapes: [EntityShape] { storage.compiled.shapes }
  public var joins: [JoinShape] { storage.compiled.joins }

  public func shape(named name: String) -> EntityShape? { storage.shapesByName[name] }
  public func shape(numbered number: Int) -> EntityShape { storage.compiled.shapes[number - 1] }

  struct Contents: Hashable, Sendable {
    let entities: [EntityDescription]
    let configurations: [String: [String]]
    let fetchRequestTemplates: [String: FetchRequest]
    let versionIdentifiers: Set<String>
  }

  /// The version hash of each entity, computed when it is first asked for.
  var versionHashes: [String: [UInt8]] {
    storage.versionHashes.withLock { known in
      if let known { return known }
      let hashes = VersionHasher(entities).hashes
      known = hashes
      return hashes
    }
  }

  private final class Storage: Sendable {
    let versionHashes = Guarded<[String: [UInt8]]?>(nil)
    let contents: Contents
    let compiled: ShapeCompiler.Output
    let shapesByName: [String: EntityShape]

    init(_ contents: Contents, _ compiled: ShapeCompiler.Output) {
      self.contents = contents
      self.compiled = compiled
      shapesByName = Dictionary(uniqueKeysWithValues: compiled.shapes.map { ($0.name, $0) })
    }
  }
}

extension ManagedObjectModel: Hashable {
  public static func == (left: ManagedObjectModel, right: ManagedObjectModel) -> Bool {
    left.storage === right.storage || left.storage.contents == right.storage.contents
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(entities.map(\.name)) }
}
