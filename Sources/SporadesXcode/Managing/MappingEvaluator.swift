// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesModelFiles

/// Computes the expressions of a mapping for one object.
struct MappingEvaluator {
  let manager: MigrationManager
  let mapping: EntityMapping
  var property: PropertyMapping?
  var source: ManagedObject?
  var destination: ManagedObject?

  func evaluate(_ expression: MappingExpression) throws -> MappingValue {
    switch expression {
    case .automatic: throw MappingFailure("an automatic value was not resolved.")
    case .refused(let error): throw MappingFailure(error.description)
    case .constant(let value): return .value(value)
    case .variable(let name): return try variable(name)
    case .keyPath(let base, let names):
      return try MappingPath(manager: manager).walk(names[...], from: evaluate(base))
    case .function(let target, let name, let arguments):
      return try function(evaluate(target), name, arguments.map(evaluate))
    case .call(let name, let arguments): return try call(name, arguments)
    case .arithmetic(let operation, let left, let right):
      return .value(operation.apply(try value(left), try value(right)))
    case .list(let items): return .value(.list(try items.map(value)))
    case .fetch(let request, let countsOnly): return try fetch(request, countsOnly)
    case .computed(let computation): return try compute(computation)
    }
  }

  private func value(_ expression: MappingExpression) throws -> Value {
    let result = try evaluate(expression)
    guard let value = result.value else {
      throw MappingFailure("\(expression) is \(result.kindName), where a value is needed.")
    }
    return value
  }

  private func variable(_ name: String) throws -> MappingValue {
    switch name {
    case "source":
      guard let source else { throw MappingFailure("$source has no object here.") }
      return .object(source)
    case "destination":
      guard let destination else { throw MappingFailure("$destination has no object here.") }
      return .object(destination)
    case "manager": return .manager(manager)
    case "entityMapping": return .entityMapping(mapping)
    case "propertyMapping": return property.map { .propertyMapping($0) } ?? .null
    case "entityPolicy": return .policy(manager.policy(for: mapping))
    default: throw MappingFailure("there is no variable $\(name).")
    }
  }

  private func call(_ name: String, _ arguments: [MappingExpression]) throws -> MappingValue {
    guard
      let result = MappingFunction.apply(name, try arguments.map(value), now: manager.beginning)
    else {
      throw MappingFailure("\(name) does not take the \(arguments.count) arguments of \(name)().")
    }
    return .value(result)
  }

  private func fetch(_ request: MappingExpression, _ countsOnly: Bool) throws -> MappingValue {
    guard case .request(let request) = try evaluate(request) else {
      throw MappingFailure("FETCH takes a fetch request of the manager.")
    }
    guard countsOnly else { return .objects(try manager.sourceContext.fetch(request)) }
    return .value(.integer(Int64(try manager.sourceContext.count(request))))
  }

  private func compute(_ computation: MappingComputation) throws -> MappingValue {
    guard let closure = computation.body as? MappingClosure, let source else {
      throw MappingFailure("its closure needs an object of the older version.")
    }
    return try closure.body(source, manager)
  }

  // MARK: - Functions

  private func function(
    _ target: MappingValue, _ name: String, _ arguments: [MappingValue]
  ) throws -> MappingValue {
    switch target {
    case .manager: return try managerFunction(name, arguments)
    case .policy(let policy):
      return try policy.value(
        forFunction: name, arguments: arguments, in: mapping, manager: manager)
    default:
      throw MappingFailure(
        "\(target.kindName) has no function \(name); call functions of $manager or $entityPolicy.")
    }
  }

  private func managerFunction(
    _ name: String, _ arguments: [MappingValue]
  ) throws -> MappingValue {
    switch (name, arguments.count) {
    case (ManagerFunction.request, 2):
      return .request(
        try manager.fetchRequest(
          forSourceEntityNamed: text(arguments[0]), predicateString: text(arguments[1])))
    case (ManagerFunction.instancesForMapping, 2):
      return .objects(
        try manager.destinationInstances(
          forEntityMappingNamed: text(arguments[0]), sourceInstances: objects(arguments[1])))
    case (ManagerFunction.sourcesForMapping, 2):
      return .objects(
        try manager.sourceInstances(
          forEntityMappingNamed: text(arguments[0]), destinationInstances: objects(arguments[1])))
    case (ManagerFunction.instancesForRelationship, 2):
      return .objects(
        try manager.destinationInstances(
          forSourceRelationshipNamed: text(arguments[0]), sourceInstances: objects(arguments[1]),
          property: property, of: mapping))
    default:
      throw MappingFailure("$manager has no function \(name) with \(arguments.count) arguments.")
    }
  }

  private func text(_ argument: MappingValue) throws -> String {
    guard case .value(.string(let text)) = argument else {
      throw MappingFailure("\(argument.kindName) was given, where a text is needed.")
    }
    return text
  }

  private func objects(_ argument: MappingValue) throws -> [ManagedObject] {
    guard let objects = argument.objects else {
      throw MappingFailure("\(argument.kindName) was given, where objects are needed.")
    }
    return objects
  }
}
