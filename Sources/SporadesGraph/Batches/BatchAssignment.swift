// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The check of a batch's new values against the model.
enum BatchAssignment {
  typealias Assignment = StoreBatch.Assignment

  /// The assignments of a batch to objects of an entity, with their paths, and the relationships that it sets.
  static func all<Object>(
    of batch: BatchUpdateRequest<Object>, in context: ManagedObjectContext, _ shape: EntityShape
  ) throws -> (assignments: [Assignment], paths: [[String]], links: [BatchLink]) {
    if let mistake = batch.mistake { throw mistake }
    guard !batch.values.isEmpty else {
      throw ContextError.unsupportedRequest(
        "A batch that updates \(shape.name) has no new values. Name one with update(_:to:).")
    }
    var all: (assignments: [Assignment], paths: [[String]], links: [BatchLink]) = ([], [], [])
    for value in batch.values {
      if let link = try BatchLink((value.path, value.expression), shape, in: context) {
        all.links.append(link)
        continue
      }
      let attribute = try attribute(at: value.path, in: shape)
      let name = "\(shape.name).\(value.path.joined(separator: "."))"
      let expression = try fitted(value.expression, to: attribute, name, shape, context)
      guard let assignment = Assignment(attribute, expression) else { throw notStored(name) }
      all.assignments.append(assignment)
      all.paths.append(value.path)
    }
    return all
  }

  /// The attribute that a path names, or a member of a composite. Throws if no batch can set it.
  static func attribute(
    at path: [String], in shape: EntityShape
  ) throws -> AttributeShape {
    let name = "\(shape.name).\(path.joined(separator: "."))"
    guard let first = path.first, let property = shape[first] else {
      throw ContextError.unsupportedRequest(shape.describeMissingProperty(path.first ?? ""))
    }
    guard case .attribute(var attribute) = property else {
      throw ContextError.unsupportedRequest(
        "A batch sets \(name), which is no attribute. A batch changes attributes and relationships to one object; set members on the objects."
      )
    }
    for step in path.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == step }) else {
        throw ContextError.unsupportedRequest("\(name) leads to no member of a composite.")
      }
      attribute = element
    }
    guard !attribute.description.isDerived else {
      throw ContextError.unsupportedRequest(
        "A batch sets \(name), which is derived. Set the attributes from which it is derived.")
    }
    return attribute
  }

  private static func fitted(
    _ expression: FetchExpression, to attribute: AttributeShape, _ name: String,
    _ shape: EntityShape, _ context: ManagedObjectContext
  ) throws -> FetchExpression {
    guard case .constant(let value) = expression else {
      let expression = expression.replacingIDs { context.permanentID(of: $0) }
      _ = try ExpressionShape(expression, in: shape, context.model)
      return expression
    }
    return .constant(try fitted(value, to: attribute, name))
  }

  /// The value in the attribute's type. Throws if the attribute can not hold it.
  static func fitted(_ value: Value, to attribute: AttributeShape, _ name: String) throws -> Value {
    guard attribute.slot != nil else { throw notStored(name) }
    guard !value.isNull else { return .null }
    guard let cell = Cell(value, as: attribute.type) else {
      throw ContextError.unsupportedRequest(
        "\(name) has the type \(attribute.type) and can not take \(attribute.type.describeRefusal(of: value))"
      )
    }
    guard case .word(let word) = cell else { return value }
    var nothing: UInt8 = 0
    return unsafe withUnsafePointer(to: &nothing) {
      unsafe attribute.type.value(word: word, bytes: $0)
    }
  }

  /// The value that an argument stands for, in the type of the attribute at a path.
  static func value(
    of argument: Any?, for attribute: AttributeShape, at path: [String], of home: ObjectHome
  ) throws -> Value {
    let name = "\(home.shape.name).\(path.joined(separator: "."))"
    guard let value = Value(converting: argument) else {
      let type = argument.map { "\(Swift.type(of: $0))" } ?? "nil"
      throw ContextError.unsupportedRequest(
        "\(name) is set to a value of type \(type), which no attribute holds. Set a value of the attribute's type, or nil."
      )
    }
    try check(value, path: path, home.binding)
    return try fitted(value, to: attribute, name)
  }

  /// Throws for a raw value that belongs to no case of the attribute's enum.
  private static func check(_ value: Value, path: [String], _ binding: EntityBinding) throws {
    guard !value.isNull, let cases = binding.enumChecks[path], !cases.contain(value) else { return }
    throw ContextError.unsupportedRequest(
      "\(binding.shape.name).\(path.joined(separator: ".")) is an enum, \(cases.typeName), and is set to a raw value "
        + "that belongs to no case.\(cases.hint(for: value))")
  }

  private static func notStored(_ name: String) -> ContextError {
    .unsupportedRequest(
      "A batch sets \(name), which no store keeps by itself. Set stored attributes, and members of a composite by their "
        + "own paths.")
  }

  /// Throws if a constant breaks a rule of the model.
  static func checkRules(
    _ assignments: [Assignment], of batchPaths: [[String]], _ shape: EntityShape,
    in context: ManagedObjectContext, first: () throws -> ManagedObjectID?
  ) throws {
    let home = context.home(numbered: shape.number)
    let probe = home.makeObject(ObjectSeed(home: home, key: context.nextTemporaryKey))
    var validation = ObjectValidation()
    for (assignment, path) in zip(assignments, batchPaths) {
      guard case .constant(let value) = assignment.expression else { continue }
      try check(value, path: path, home.binding)
      validation.check(value, of: assignment.attribute, probe)
    }
    guard !validation.failures.isEmpty else { return }
    // because every object of the batch would get the values, the first one stands for all
    let id = try first()
    throw ValidationError(
      failures: validation.failures.map {
        .init(
          $0.code, id ?? $0.objectID, property: $0.property, $0.detail, underlying: $0.underlying)
      })
  }
}
