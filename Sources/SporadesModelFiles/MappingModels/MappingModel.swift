// SPDX-License-Identifier: MIT
public import SporadesModel

/// Says how the objects of one version of a model become objects of another.
///
/// A mapping model is a value: read it from a file that Xcode made, infer it from the two versions, or write it in
/// code. A `MigrationManager` carries it out, object by object.
public struct MappingModel: Hashable, Sendable {
  /// The mappings of entities, in the order in which they are carried out.
  public var entityMappings: [EntityMapping]

  /// Makes a mapping model of its parts.
  public init(_ entityMappings: [EntityMapping]) { self.entityMappings = entityMappings }

  /// The mappings of entities by their names.
  public var entityMappingsByName: [String: EntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The mapping with a name. Setting it replaces the mapping or adds one at the end.
  public subscript(_ name: String) -> EntityMapping? {
    get { entityMappings.first { $0.name == name } }
    set {
      let place = entityMappings.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let mapping?): entityMappings[place] = mapping
      case (let place?, nil): entityMappings.remove(at: place)
      case (nil, let mapping?): entityMappings.append(mapping)
      case (nil, nil): break
      }
    }
  }

  /// The version hashes of all entities that the mappings name are those of the two models.
  public func fits(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> Bool {
    entityMappings.allSatisfy { mapping in
      Self.agrees(mapping.sourceEntityName, mapping.sourceEntityVersionHash, source)
        && Self.agrees(
          mapping.destinationEntityName, mapping.destinationEntityVersionHash, destination)
    }
  }

  private static func agrees(
    _ name: String?, _ hash: [UInt8]?, _ model: ManagedObjectModel
  ) -> Bool {
    guard let name, let hash else { return true }
    return model.entityVersionHashesByName[name] == hash
  }
}
