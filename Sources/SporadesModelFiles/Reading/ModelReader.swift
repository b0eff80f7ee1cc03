// SPDX-License-Identifier: MIT
import SporadesModel

/// Reads the elements of a model file into a model.
///
/// Rules:
/// 1. Attributes that are not known are passed over: newer tools add some, and none so far changed
///    what a store holds. Elements that are not known are problems, because they might.
/// 2. Every problem is reported, each with its line, those of the file and those of the model.
struct ModelReader {
  let file: String
  var problems: [ModelError.Problem] = []
  /// The line of each entity and property, the latter as `Entity.property`.
  var lines: [String: Int] = [:]
  var composites: [String: ModelElement] = [:]
  var compositeElementsLeft = ModelFileLimit.compositeElements

  private init(file: String) { self.file = file }

  static func model(
    from root: ModelElement, file: String
  ) throws(ModelError) -> ManagedObjectModel {
    var reader = ModelReader(file: file)
    guard root.name == "model" else {
      throw ModelError([
        .init(
          .malformedFile, location: .init(file: file, line: root.line),
          "The file holds <\(root.name)> and is no model; give the contents file of a model.")
      ])
    }
    return try reader.model(root)
  }

  private mutating func model(_ root: ModelElement) throws(ModelError) -> ManagedObjectModel {
    let known: Set = [
      "entity", "configuration", "fetchRequest", "composite", "elements", "userInfo",
    ]
    refuseUnknown(in: root, known, Place(root))
    for element in root.children("composite") { declareComposite(element) }
    let entities = answered(root.children("entity").map { entity($0) })
    let configurations = configurations(root)
    let templates = templates(root)
    var found: ManagedObjectModel?
    do throws(ModelError) {
      found = try ManagedObjectModel(
        entities: entities, configurations: configurations, fetchRequestTemplates: templates,
        versionIdentifiers: Set(
          root.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? []))
    } catch {
      problems += error.problems.map { located($0, root) }
    }
    guard problems.isEmpty, let found else { throw ModelError(problems) }
    return found
  }

  private mutating func declareComposite(_ element: ModelElement) {
    let place = Place(element)
    refuseUnknown(in: element, ["attribute", "userInfo"], place)
    guard let name = required("name", of: element, place) else { return }
    if composites.updateValue(element, forKey: name) != nil {
      report(.duplicateName, place, "The composite \(name) is declared twice; remove one.")
    }
  }

  private mutating func configurations(_ root: ModelElement) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for element in root.children("configuration") {
      let place = Place(element)
      refuseUnknown(in: element, ["memberEntity", "userInfo"], place)
      guard let name = required("name", of: element, place) else { continue }
      let members = element.children("memberEntity").compactMap { $0["name"] }
      if configurations.updateValue(members, forKey: name) != nil {
        report(.duplicateName, place, "The configuration \(name) is declared twice; remove one.")
      }
    }
    return configurations
  }

  private mutating func templates(_ root: ModelElement) -> [String: FetchRequest] {
    var templates: [String: FetchRequest] = [:]
    for element in root.children("fetchRequest") {
      let place = Place(element)
      guard let name = required("name", of: element, place),
        let request = fetchRequest(element, place)
      else { continue }
      if templates.updateValue(request, forKey: name) != nil {
        report(.duplicateName, place, "The fetch request \(name) is declared twice; rename one.")
      }
    }
    return templates
  }

  // MARK: - Inverses

  /// Old tools let a relationship name an inverse that is paired with another one. Stores were
  /// written so; the name then counts in the version hash alone.
  private func answered(_ entities: [EntityDescription]) -> [EntityDescription] {
    let lookup = ModelLookup(entities)
    var entities = entities
    for index in entities.indices {
      for place in entities[index].relationships.indices {
        let relationship = entities[index].relationships[place]
        guard let name = relationship.inverseName,
          let inverse = partner(of: relationship, lookup), inverse.inverseName != relationship.name,
          partner(of: inverse, lookup)?.inverseName == name
        else { continue }
        entities[index].relationships[place].inverseName = nil
        entities[index].relationships[place].unansweredInverseName = name
      }
    }
    return entities
  }

  private func partner(
    of relationship: RelationshipDescription, _ lookup: ModelLookup
  ) -> RelationshipDescription? {
    guard let name = relationship.inverseName,
      let destination = lookup.entity(relationship.destinationEntityName)
    else { return nil }
    return lookup.relationship(name, of: destination)?.relationship
  }

  // MARK: - Places

  private func located(_ problem: ModelError.Problem, _ root: ModelElement) -> ModelError.Problem {
    let entity = problem.entity ?? ""
    // Elements of composites are reported as a path; its first name is what the entity declares.
    let property = problem.property?.split(separator: ".").first.map(String.init) ?? ""
    let line = lines["\(entity).\(property)"] ?? lines[entity] ?? root.line
    return .init(
      problem.code, entity: problem.entity, property: problem.property,
      location: .init(file: file, line: line), problem.detail)
  }
}
