// SPDX-License-Identifier: MIT
public import SporadesModel

extension MappingModel {
  /// The reasons why the mappings do not fit the two versions; empty if they fit.
  public func problems(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [MigrationProblem] {
    var validation = MappingValidation(source: source, new: destination)
    validation.check(self)
    return validation.problems
  }
}

private struct MappingValidation {
  let source: ManagedObjectModel
  let new: ManagedObjectModel
  private(set) var problems: [MigrationProblem] = []

  init(source: ManagedObjectModel, new: ManagedObjectModel) {
    (self.source, self.new) = (source, new)
  }

  mutating func check(_ model: MappingModel) {
    let names = model.entityMappings.map(\.name)
    for (place, name) in names.enumerated() where names[..<place].contains(name) {
      note(name, nil, "is there twice; give each entity mapping another name")
    }
    for mapping in model.entityMappings { check(mapping, Set(names)) }
  }

  private mutating func note(_ mapping: String, _ entity: String?, _ reason: String) {
    note(mapping, entity, nil, reason)
  }

  private mutating func note(
    _ mapping: String, _ entity: String?, _ property: String?, _ reason: String
  ) {
    let place = property.map { "\(mapping).\($0)" } ?? mapping
    var problem = MigrationProblem(
      .mapping, entity: entity ?? mapping, property: property,
      "The entity mapping \(place) \(reason).")
    problem.mapping = mapping
    problems.append(problem)
  }

  private mutating func check(_ mapping: EntityMapping, _ names: Set<String>) {
    let old = shape(mapping.sourceEntityName, in: source, "older", mapping)
    let shape = shape(mapping.destinationEntityName, in: new, "newer", mapping)
    checkHash(mapping.sourceEntityName, mapping.sourceEntityVersionHash, source, "older", mapping)
    checkHash(
      mapping.destinationEntityName, mapping.destinationEntityVersionHash, new, "newer", mapping)
    if let shape, shape.isAbstract, old != nil || mapping.sourceExpression != nil {
      note(
        mapping.name, shape.name,
        "makes objects of \(shape.name), which is abstract; name a subentity")
    }
    if let expression = mapping.sourceExpression {
      check(expression, mapping, "sourceExpression", old, names)
    }
    guard let shape else { return }
    for property in mapping.attributeMappings {
      if MappingModel.leaves(of: shape.attributes).contains(property.name) == false {
        note(
          mapping.name, shape.name, property.name,
          "is no stored attribute of \(shape.name); remove the mapping or correct its name")
      }
    }
    for property in mapping.relationshipMappings {
      guard case .relationship(let relationship)? = shape[property.name], relationship.isStored
      else {
        note(
          mapping.name, shape.name, property.name,
          "is no stored relationship of \(shape.name); remove the mapping or correct its name")
        continue
      }
    }
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      guard let expression = property.valueExpression else { continue }
      check(expression, mapping, property.name, old, names)
    }
  }

  private mutating func shape(
    _ name: String?, in model: ManagedObjectModel, _ age: String, _ mapping: EntityMapping
  ) -> EntityShape? {
    guard let name else { return nil }
    guard let shape = model.shape(named: name) else {
      note(
        mapping.name, name,
        "names \(name), which the \(age) model does not have. It has \(model.shapes.map(\.name).sorted().joined(separator: ", "))"
      )
      return nil
    }
    return shape
  }

  private mutating func checkHash(
    _ name: String?, _ hash: [UInt8]?, _ model: ManagedObjectModel, _ age: String,
    _ mapping: EntityMapping
  ) {
    guard let name, let hash, let known = model.entityVersionHashesByName[name], known != hash
    else { return }
    note(
      mapping.name, name,
      "was made for another version of \(name) than the \(age) model has; make it again for these versions"
    )
  }

  // MARK: - Expressions

  private mutating func check(
    _ expression: MappingExpression, _ mapping: EntityMapping, _ property: String,
    _ old: EntityShape?, _ names: Set<String>
  ) {
    switch expression {
    case .refused(let error):
      // `note` writes a full stop behind the words, so the error gives its own away.
      let reason = "\(error)"
      note(
        mapping.name, mapping.destinationEntityName, property,
        "has no expression that can be computed. \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)"
      )
    case .variable(let name) where !Self.variables.contains(name):
      note(
        mapping.name, mapping.destinationEntityName, property,
        "uses the variable $\(name). The variables are \(Self.variables.sorted().map { "$\($0)" }.joined(separator: ", "))"
      )
    case .keyPath(.source, let path): check(path, mapping, property, old)
    case .function(.manager, let function, let arguments):
      checkManager(function, arguments, mapping, property, names)
    case .call(let function, _) where !MappingFunction.names.contains(function.functionName):
      note(
        mapping.name, mapping.destinationEntityName, property,
        "calls \(function), which the expressions of mappings do not know")
    default: break
    }
    for part in expression.parts { check(part, mapping, property, old, names) }
  }

  private static let variables: Set = [
    "source", "destination", "manager", "entityMapping", "propertyMapping", "entityPolicy",
  ]

  private mutating func check(
    _ path: [String], _ mapping: EntityMapping, _ property: String, _ old: EntityShape?
  ) {
    var shape = old
    for (place, name) in path.enumerated() where !name.hasPrefix("@") {
      guard let current = shape else { return }
      switch current[name] {
      case .relationship(let relationship): shape = source.shape(numbered: relationship.destination)
      case .attribute, .fetched: return
      case nil:
        // A subentity may have the property.
        let isKnown =
          place > 0 && current.family.contains { source.shape(numbered: $0)[name] != nil }
        if isKnown { return }
        let hint = NearNames(name, among: current.properties.map(\.name)).hint
        note(
          mapping.name, mapping.destinationEntityName, property,
          "reads $source.\(path.joined(separator: ".")), but \(current.name) has no \(name) in the older model\(hint.isEmpty ? "" : "." + hint.dropLast())"
        )
        return
      }
    }
  }

  private mutating func checkManager(
    _ function: String, _ arguments: [MappingExpression], _ mapping: EntityMapping,
    _ property: String, _ names: Set<String>
  ) {
    guard
      [ManagerFunction.instancesForMapping, ManagerFunction.sourcesForMapping].contains(function),
      case .constant(.string(let name))? = arguments.first, !names.contains(name)
    else { return }
    note(
      mapping.name, mapping.destinationEntityName, property,
      "asks for the entity mapping \(name), which the mapping model does not have")
  }
}
