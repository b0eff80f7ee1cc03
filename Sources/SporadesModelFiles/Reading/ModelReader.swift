// SPDX-License-Identifier: MIT
import SporadesModel

/// Makes a model of the elements of a model file.
///
/// Rules:
/// 1. The reader ignores unknown attributes. Newer tools add attributes, and none so far affected the
///    contents of stores. An unknown element is a problem where it could contain properties, and a warning
///    elsewhere.
/// 2. The reader reports every problem of the file and of the model, each with its line.
/// 3. A mistake that does not affect the contents of stores is a warning. The reader then takes the value
///    that Xcode's tools take.
struct ModelReader {
  let file: String
  var problems: [ModelError.Problem] = []
  var warnings: [ModelWarning] = []
  /// The line of each entity, by its name, and of each property, by `Entity.property`.
  var lines: [String: Int] = [:]
  var composites: [String: ModelElement] = [:]
  var compositeElementsLeft = ModelFileLimit.compositeElements

  private init(file: String) { self.file = file }

  static func read(_ root: ModelElement, file: String) throws(ModelError) -> ModelReading {
    var reader = ModelReader(file: file)
    guard root.name == "model" else {
      throw ModelError([
        .init(
          .malformedFile, location: .init(file: file, line: root.line),
          "The file contains <\(root.name)> and is not a model; name the contents file of a model.")
      ])
    }
    return try reader.read(root)
  }

  private mutating func read(_ root: ModelElement) throws(ModelError) -> ModelReading {
    let known: Set = [
      "entity", "configuration", "fetchRequest", "composite", "elements", "userInfo",
    ]
    refuseUnknown(in: root, known, Location(root))
    for element in root.children("composite") { declareComposite(element) }
    let entities = root.children("entity").map { readEntity($0) }
    let repair = ModelRepair(
      entities: entities, configurations: readConfigurations(root), templates: readTemplates(root))
    warnings += repair.warnings.map { locate($0, root) }
    var found: ManagedObjectModel?
    do throws(ModelError) {
      found = try ManagedObjectModel(
        entities: repair.entities, configurations: repair.configurations,
        fetchRequestTemplates: repair.templates,
        versionIdentifiers: Set(
          root.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? []))
    } catch {
      problems += error.problems.map { locate($0, root) }
    }
    guard problems.isEmpty, let found else { throw ModelError(problems) }
    return ModelReading(model: found, warnings: warnings)
  }

  private mutating func declareComposite(_ element: ModelElement) {
    let location = Location(element)
    refuseUnknown(in: element, ["attribute", "userInfo"], location)
    guard let name = readRequired("name", of: element, location) else { return }
    if composites.updateValue(element, forKey: name) != nil {
      report(.duplicateName, location, "The composite \(name) is declared twice; remove one.")
    }
  }

  private mutating func readConfigurations(_ root: ModelElement) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for element in root.children("configuration") {
      let location = Location(element)
      warnOfUnknown(in: element, ["memberEntity", "userInfo"], location)
      guard let name = readRequired("name", of: element, location) else { continue }
      let members = element.children("memberEntity").compactMap { $0["name"] }
      if let earlier = configurations[name] {
        warn(
          .duplicateName, location,
          "The configuration \(name) is declared twice. It gets the members of both.")
        configurations[name] = earlier + members.filter { !earlier.contains($0) }
      } else {
        configurations[name] = members
      }
    }
    return configurations
  }

  private mutating func readTemplates(_ root: ModelElement) -> [String: FetchRequest] {
    var templates: [String: FetchRequest] = [:]
    for element in root.children("fetchRequest") {
      let location = Location(element)
      guard let name = readRequired("name", of: element, location),
        let request = readFetchRequest(element, location, orElse: "The template is left out.")
      else { continue }
      if templates[name] == nil {
        templates[name] = request
      } else {
        warn(
          .duplicateName, location,
          "The fetch request \(name) is declared twice. The later one is left out.")
      }
    }
    return templates
  }

  // MARK: - Locations

  private func locate(_ problem: ModelError.Problem, _ root: ModelElement) -> ModelError.Problem {
    let entity = problem.entity ?? ""
    // A problem names an element of a composite by a path. Its first name is the entity's property.
    let property = problem.property?.split(separator: ".").first.map(String.init) ?? ""
    let line = lines["\(entity).\(property)"] ?? lines[entity] ?? root.line
    return .init(
      problem.code, entity: problem.entity, property: problem.property,
      location: .init(file: file, line: line), problem.detail)
  }
}
