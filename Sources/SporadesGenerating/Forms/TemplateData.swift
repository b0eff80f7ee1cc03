// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// The values that templates print.
struct TemplateData {
  private let model: ManagedObjectModel
  private let name: String
  private let options: GenerationOptions
  private let classes: [String: String]
  private let functions: FetchFunctions
  private let typedIDs: TypedIDs
  private let entities: [String: EntityDescription]

  init(
    _ model: ManagedObjectModel, _ name: String, _ options: GenerationOptions,
    classes: [String: String], _ functions: FetchFunctions, _ typedIDs: TypedIDs
  ) {
    (self.model, self.name, self.options) = (model, name, options)
    (self.classes, self.functions, self.typedIDs) = (classes, functions, typedIDs)
    entities = model.entitiesByName
  }

  /// The values of the whole model.
  func valuesOfModel() -> TemplateValue {
    let entities = model.entities.filter { classes[$0.name] != nil }.sorted { $0.name < $1.name }
    var members = common
    members["entities"] = Self.list(entities.map(members(of:)))
    return .record(members)
  }

  /// The values of one entity.
  func values(of entity: EntityDescription) -> TemplateValue {
    .record(common.merging(members(of: entity)) { $1 })
  }

  private var common: [String: TemplateValue] {
    [
      "model": .text(name), "var": .record(options.templates.variables.mapValues { .text($0) }),
      "form": .text(options.form.rawValue), "access": .text(options.access),
    ]
  }

  private func members(of entity: EntityDescription) -> [String: TemplateValue] {
    let notes = options.notes
    let superclass = Superclasses(entities, classes, options).name(for: entity)
    let attributes = entity.attributes.filter { !notes.ignores($0.userInfo) }
    let relationships = entity.relationships.filter { !notes.ignores($0.userInfo) }
    return [
      "entity": .text(entity.name), "class": .text(classes[entity.name] ?? entity.name),
      "superclass": .text(superclass), "superentity": .text(entity.superentityName ?? ""),
      "isAbstract": .flag(entity.isAbstract),
      "idClass": .text(typedIDs.name(of: entity.name) ?? ""),
      "documentation": .text(notes.comment(entity.userInfo, indent: "")),
      "imports": .list(
        ClassNotes.list(entity.userInfo[ClassNotes.Key.imports]).map { .text($0) }),
      "attributes": Self.list(attributes.sorted { $0.name < $1.name }.map(members(of:))),
      "relationships": Self.list(relationships.sorted { $0.name < $1.name }.map(members(of:))),
      "fetchedProperties": Self.list(
        entity.fetchedProperties.sorted { $0.name < $1.name }.map { fetched in
          [
            "fetchedProperty": .text(fetched.name),
            "destination": .text(
              classes[fetched.request.entityName] ?? fetched.request.entityName),
          ]
        }),
      "fetchRequests": Self.list(
        functions.templates(of: entity.name).map { name, function in
          [
            "fetchRequest": .text(name), "function": .text(function),
            "isForOne": .flag(FetchFunctions.isForOne(name)),
          ]
        }),
      "userInfo": Self.userInfo(entity.userInfo),
    ]
  }

  private func members(of attribute: AttributeDescription) -> [String: TemplateValue] {
    let notes = options.notes
    let plain = ClassWriter.plainType(of: attribute.type)?.name ?? "\(attribute.type)"
    return [
      "attribute": .text(attribute.name), "name": .text(SwiftText.identifier(attribute.name)),
      "Name": .text(attribute.name.capitalizedFirst),
      "type": .text(notes.typeName(of: attribute) ?? plain),
      "kind": .text("\(attribute.type)"), "isOptional": .flag(attribute.isOptional),
      "isTransient": .flag(attribute.isTransient), "isDerived": .flag(attribute.isDerived),
      "isReadOnly": .flag(notes.isReadOnly(attribute.userInfo)),
      "default": .text(
        attribute.defaultValue.isNull
          ? "" : SwiftText.expression(attribute.defaultValue) ?? ""),
      "documentation": .text(notes.comment(attribute.userInfo, indent: "  ")),
      "userInfo": Self.userInfo(attribute.userInfo),
    ]
  }

  private func members(of relationship: RelationshipDescription) -> [String: TemplateValue] {
    let notes = options.notes
    let destination = relationship.destinationEntityName
    return [
      "relationship": .text(relationship.name),
      "name": .text(SwiftText.identifier(relationship.name)),
      "Name": .text(relationship.name.capitalizedFirst),
      "destination": .text(classes[destination] ?? destination),
      "destinationEntity": .text(destination), "inverse": .text(relationship.inverseName ?? ""),
      "isToMany": .flag(relationship.isToMany), "isOrdered": .flag(relationship.isOrdered),
      "isOptional": .flag(relationship.isOptional),
      "isReadOnly": .flag(notes.isReadOnly(relationship.userInfo)),
      "deleteRule": .text("\(relationship.deleteRule)"),
      "documentation": .text(notes.comment(relationship.userInfo, indent: "  ")),
      "userInfo": Self.userInfo(relationship.userInfo),
    ]
  }

  private static func userInfo(_ notes: [String: String]) -> TemplateValue {
    list(notes.sorted { $0.key < $1.key }.map { ["key": .text($0.key), "value": .text($0.value)] })
  }

  /// Records that know whether they are the last.
  private static func list(_ members: [[String: TemplateValue]]) -> TemplateValue {
    .list(
      members.enumerated().map { place, member in
        .record(member.merging(["isLast": .flag(place == members.count - 1)]) { $1 })
      })
  }
}
