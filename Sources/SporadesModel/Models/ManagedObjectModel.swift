// SPDX-License-Identifier: MIT

/// One version of a model: its entities, configurations and fetch templates.
///
/// A model is a value, and always valid: its initialiser refuses contents with mistakes. The error
/// lists every mistake.
public struct ManagedObjectModel: Sendable {
  private let storage: Storage

  /// Makes a model of entities, and refuses contents that do not fit together.
  public init(
    entities: [EntityDescription], configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequest] = [:], versionIdentifiers: Set<String> = []
  ) throws(ModelError) {
    let contents = ModelContents(
      entities: entities, configurations: configurations,
      fetchRequestTemplates: fetchRequestTemplates, versionIdentifiers: versionIdentifiers)
    let problems = ModelValidation.findProblems(of: contents)
    guard problems.isEmpty else { throw ModelError(problems) }
    storage = Storage(contents, ShapeCompiler(entities).compile())
  }

  /// The entities, in the order of their declaration.
  public var entities: [EntityDescription] { storage.contents.entities }
  /// The entities by their names.
  public var entitiesByName: [String: EntityDescription] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
  }
  /// The names of the entities of each configuration.
  public var configurations: [String: [String]] { storage.contents.configurations }
  /// The fetch requests that the model keeps, by their names.
  public var fetchRequestTemplates: [String: FetchRequest] {
    storage.contents.fetchRequestTemplates
  }
  /// The names that the author gave to this version of the model.
  public var versionIdentifiers: Set<String> { storage.contents.versionIdentifiers }

  /// The shapes of all entities. The shape of the entity with number *n* has the index *n* − 1.
  public var shapes: [EntityShape] { storage.compiled.shapes }
  /// The shapes of all many-to-many relationships, by the index of each join.
  public var joins: [JoinShape] { storage.compiled.joins }

  /// Finds the shape of the entity with the name.
  public func shape(named name: String) -> EntityShape? { storage.shapesByName[name] }
  /// The shape of the entity with the number.
  public func shape(numbered number: Int) -> EntityShape { storage.compiled.shapes[number - 1] }

  /// The key with the root entity of its inheritance tree. Two keys of one row may name different entities of
  /// the tree; their root keys are equal.
  package func rootKey(_ key: RowKey) -> RowKey {
    let root = shape(numbered: key.entity).rootNumber
    return RowKey(entity: root, primaryKey: key.primaryKey, store: key.store)
  }

  /// The version hash of each entity. The first use computes them.
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
    let contents: ModelContents
    let compiled: ShapeCompiler.Output
    let shapesByName: [String: EntityShape]

    init(_ contents: ModelContents, _ compiled: ShapeCompiler.Output) {
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

extension ManagedObjectModel: CustomStringConvertible {
  /// The names of the entities: `model of Author, Book`.
  public var description: String { "model of \(entities.map(\.name).joined(separator: ", "))" }
}
