// SPDX-License-Identifier: MIT
import SporadesModel

/// Reads the elements of a model file into a model.
///
/// Rules:
/// 1. Attributes that are not known are passed over: newer tools add some, and none so far changed
///    what a store holds. Elements that are not known are problems where they could hold properties, and
///    warnings elsewhere.
/// 2. Every problem is reported, each with its line, those of the file and those of the model.
/// 3. What is odd and decides nothing that stores hold is a warning, and read as Xcode's tools read it.
struct ModelReader {
  let file: String
  var problems: [ModelError.Problem] = []
  var warnings: [ModelWarning] = []
  /// The line of each entity and property, the latter as `Entity.property`.
  var lines: [String: Int] = [:]
  var composites: [String: ModelElement] = [:]
  var compositeElementsLeft = ModelFileLimit.compositeElements

  private init(file: String) { self.file = file }

  static func reading(
    from root: ModelElement, file: String
  ) throws(ModelError) -> ModelFile.Reading {
    var reader = ModelReader(file: file)
    guard root.name == "model" else {
      throw ModelError([
        .init(
          .malformedFile, location: .init(file: file, line: root.line),
          "The file holds <\(root.name)> and is no model; give the contents file of a model.")
      ])
    }
    return try reader.reading(root)
  }

  private mutating func reading(_ root: ModelElement) throws(ModelError) -> ModelFile.Reading {
    let known: Set = [
      "entity", "configuration", "fetchRequest", "composite", "elements", "userInfo",
    ]
    refuseUnknown(in: root, known, Place(root))
    for element in root.children("composite") { declareComposite(element) }
    let entities = root.children("entity").map { entity($0) }
    let repair = ModelRepair(
      entities: entities, configurations: configurations(root), templates: templates(root))
    warnings += repair.warnings.map { located($0, root) }
    var found: ManagedObjectModel?
    do throws(ModelError) {
      found = try ManagedObjectModel(
        entities: repair.entities, configurations: repair.configurations,
        fetchRequestTemplates: repair.templates,
        versionIdentifiers: Set(
          root.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? []))
    } catch {
      problems += error.problems.map { located($0, root) }
    }
    guard problems.isEmpty, let found else { throw ModelError(problems) }
    return ModelFile.Reading(model: found, warnings: warnings)
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
      passOverUnknown(in: element, ["memberEntity", "userInfo"], place)
      guard let name = required("name", of: element, place) else { continue }
      let members = element.children("memberEntity").compactMap { $0["name"] }
      if let earlier = configurations[name] {
        warn(
          .duplicateName, place,
          "The configuration \(name) is declared twice. It has the members of both.")
        configurations[name] = earlier + members.filter { !earlier.contains($0) }
      } else {
        configurations[name] = members
      }
    }
    return configurations
  }

  private mutating func templates(_ root: ModelElement) -> [String: FetchRequest] {
    var templates: [String: FetchRequest] = [:]
    for element in root.children("fetchRequest") {
      let place = Place(element)
      guard let name = required("name", of: element, place),
        let request = fetchRequest(element, place, orElse: "The template is left out.")
      else { continue }
      if templates[name] == nil {
        templates[name] = request
      } else {
        warn(
          .duplicateName, place,
          "The fetch request \(name) is declared twice. The later one is left out.")
      }
    }
    return templates
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
