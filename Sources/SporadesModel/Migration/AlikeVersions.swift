// SPDX-License-Identifier: MIT

/// Successive versions of a model with the same hashes.
///
/// A store cannot tell them apart. A program may have removed a renaming identifier in a later one of them, or have added it
/// there, so a part has the identifier that the first of them gives it.
struct AlikeVersions {
  private let versions: [ManagedObjectModel]

  /// `versions` has at least one version, the oldest first.
  init(_ versions: [ManagedObjectModel]) { self.versions = versions }

  /// Puts neighbours with the same hashes together.
  static func runs(of versions: [ManagedObjectModel]) -> [AlikeVersions] {
    var runs: [[ManagedObjectModel]] = []
    for version in versions {
      if let last = runs.last?.last,
        last.entityVersionHashesByName == version.entityVersionHashesByName
      {
        runs[runs.count - 1].append(version)
      } else {
        runs.append([version])
      }
    }
    return runs.map(AlikeVersions.init)
  }

  var last: ManagedObjectModel { versions[versions.count - 1] }

  // MARK: - Parts with their identifiers

  var entities: [EntityDescription] {
    guard versions.count > 1 else { return last.entities }
    return last.entities.map { entity in
      var entity = entity
      entity.renamingIdentifier =
        shapes(entity.name)
        .compactMap(\.description.renamingIdentifier).first
      return entity
    }
  }

  /// The attributes of an entity of the last version, own and inherited.
  func attributes(of shape: EntityShape) -> [AttributeDescription] {
    let own = shape.attributes.map(\.description)
    guard versions.count > 1 else { return own }
    let all = shapes(shape.name).map { $0.attributes.map(\.description) }
    return own.map { Self.identified($0, all) }
  }

  private static func identified(
    _ attribute: AttributeDescription, _ all: [[AttributeDescription]]
  ) -> AttributeDescription {
    let same = all.compactMap { attributes in attributes.first { $0.name == attribute.name } }
    var attribute = attribute
    attribute.renamingIdentifier = same.compactMap(\.renamingIdentifier).first
    attribute.elements = attribute.elements.map { identified($0, same.map(\.elements)) }
    return attribute
  }

  /// The relationships of an entity of the last version, own and inherited.
  func relationships(of shape: EntityShape) -> [RelationshipDescription] {
    let own = shape.relationships.map(\.description)
    guard versions.count > 1 else { return own }
    let all = shapes(shape.name).flatMap { $0.relationships.map(\.description) }
    return own.map { relationship in
      var relationship = relationship
      relationship.renamingIdentifier =
        all.filter { $0.name == relationship.name }
        .compactMap(\.renamingIdentifier).first
      return relationship
    }
  }

  private func shapes(_ entity: String) -> [EntityShape] {
    versions.compactMap { $0.shape(named: entity) }
  }
}
