// SPDX-License-Identifier: MIT
public import SporadesModel

extension MappingModel {
  /// Infers the mappings from two versions of a model, with Core Data's names: `IEM_Add_Pet`, `IEM_Remove_Pet`,
  /// `IEM_Copy_Pet` and `IEM_Transform_Pet`.
  ///
  /// Each part gets the content of the part that it continues. `versions` lists the versions between the two, the
  /// oldest first; a part that was renamed several times is found through them.
  public static func inferred(
    from old: ManagedObjectModel, through versions: [ManagedObjectModel] = [],
    to new: ManagedObjectModel
  ) -> MappingModel {
    let evolution = ModelEvolution(from: old, through: versions, to: new)
    var mappings: [EntityMapping] = []
    for shape in old.shapes
    where !shape.isAbstract && evolution.successor(ofEntity: shape.name) == nil {
      var mapping = EntityMapping(
        "IEM_Remove_\(shape.name)", from: shape.name, to: nil, kind: .remove)
      mapping.sourceEntityVersionHash = old.entityVersionHashesByName[shape.name]
      mappings.append(mapping)
    }
    for shape in new.shapes where !shape.isAbstract {
      mappings.append(Self.mapping(of: shape, evolution))
    }
    return MappingModel(mappings)
  }

  private static func mapping(
    of shape: EntityShape, _ evolution: ModelEvolution
  ) -> EntityMapping {
    let hash = evolution.new.entityVersionHashesByName[shape.name]
    guard let name = evolution.source(ofEntity: shape.name),
      let source = evolution.old.shape(named: name), !source.isAbstract
    else {
      var mapping = EntityMapping(
        "IEM_Add_\(shape.name)", from: nil, to: shape.name, kind: .add)
      mapping.destinationEntityVersionHash = hash
      mapping.sourceExpression = evolution.refusal(of: shape.name, in: nil)
      return mapping
    }
    let former = evolution.old.entityVersionHashesByName[name]
    let isSame = former == hash && name == shape.name
    var mapping = EntityMapping(
      "IEM_\(isSame ? "Copy" : "Transform")_\(shape.name)", from: name, to: shape.name,
      kind: isSame ? .copy : .transform)
    mapping.sourceEntityVersionHash = former
    mapping.destinationEntityVersionHash = hash
    mapping.attributeMappings = Self.leaves(of: shape.attributes).map { path in
      let source = evolution.source(ofAttribute: path, in: shape.name)
      return PropertyMapping(
        path, source.map { .source($0) } ?? evolution.refusal(of: path, in: shape.name))
    }
    mapping.relationshipMappings = shape.relationships.filter(\.isStored).map { relationship in
      let source = evolution.source(ofRelationship: relationship.name, in: shape.name)
      return PropertyMapping(
        relationship.name,
        source.map { .destinationInstances(forSourceRelationshipNamed: $0) }
          ?? evolution.refusal(of: relationship.name, in: shape.name))
    }
    return mapping
  }

  /// The paths of the attributes that a store keeps and that are not computed.
  static func leaves(of attributes: [AttributeShape], below prefix: String = "") -> [String] {
    attributes.flatMap { attribute -> [String] in
      guard attribute.elements.isEmpty else {
        return leaves(of: attribute.elements, below: "\(prefix)\(attribute.name).")
      }
      guard attribute.slot != nil, !attribute.description.isDerived else { return [] }
      return [prefix + attribute.name]
    }
  }
}

extension ModelEvolution {
  /// The expression of a part in doubt, with which a migration does not begin.
  fileprivate func refusal(of name: String, in entity: String?) -> MappingExpression? {
    doubts.first { $0.entity == entity && $0.new.contains(name) }.map {
      .refused(FetchPredicateError(.unsupported, $0.sentence))
    }
  }
}
