// SPDX-License-Identifier: MIT
package import SporadesArchives
import SporadesModel

/// Makes mapping models and their expressions of the archives that Apple's tools write.
///
/// A compiled mapping model, a `.cdm`, is one archive. The file behind it keeps an archive for each expression.
package struct MappingUnarchiver {
  /// The largest depth of an expression. An expression that contains itself reaches it.
  private static let depthLimit = 100

  private var depth = 0

  private func deeper() throws(PropertyListError) -> MappingUnarchiver {
    guard depth < Self.depthLimit else {
      throw PropertyListError("it is more than \(Self.depthLimit) expressions deep")
    }
    var inner = self
    inner.depth += 1
    return inner
  }

  // MARK: - Archives

  /// Reads the archive of one expression.
  package static func expression(
    _ bytes: [UInt8]
  ) throws(PropertyListError) -> MappingExpression {
    try MappingUnarchiver().expression(KeyedArchive(bytes).root)
  }

  /// Reads the archive of a dictionary of notes.
  package static func notes(_ bytes: [UInt8]) throws(PropertyListError) -> [String: String] {
    try notes(KeyedArchive(bytes).root)
  }

  /// Reads a compiled mapping model.
  package static func model(_ bytes: [UInt8]) throws(PropertyListError) -> MappingModel {
    let root = try KeyedArchive(bytes).root
    guard try root.className == "NSMappingModel" else {
      throw PropertyListError("it contains the class \(try root.className) and no mapping model")
    }
    var mappings: [EntityMapping] = []
    for item in try ModelUnarchiver.items(root["NSEntityMappings"]) {
      mappings.append(try entityMapping(item))
    }
    return MappingModel(mappings)
  }

  private static func entityMapping(
    _ value: ArchivedValue
  ) throws(PropertyListError) -> EntityMapping {
    let number: Int = try ModelUnarchiver.integer(value["NSMappingType"], orElse: 0)
    guard let kind = EntityMapping.Kind(rawValue: number) else {
      throw PropertyListError("an entity mapping has the unknown type \(number)")
    }
    var mapping = EntityMapping(
      try ModelUnarchiver.optionalText(value["NSMappingName"]),
      from: try ModelUnarchiver.optionalText(value["NSSourceEntityName"]),
      to: try ModelUnarchiver.optionalText(value["NSDestinationEntityName"]), kind: kind)
    mapping.sourceEntityVersionHash = try value["NSSourceEntityVersionHash"]?.bytes
    mapping.destinationEntityVersionHash = try value["NSDestinationEntityVersionHash"]?.bytes
    mapping.entityMigrationPolicyClassName = try ModelUnarchiver.optionalText(
      value["NSEntityMigrationPolicyClassName"])
    mapping.userInfo = try value["NSUserInfo"].map(notes) ?? [:]
    mapping.attributeMappings = try properties(value["NSAttributeMappings"])
    mapping.relationshipMappings = try properties(value["NSRelationshipMappings"])
    if let expression = try value["NSSourceExpression"] {
      mapping.sourceExpression = try MappingUnarchiver().expression(expression)
    }
    return mapping
  }

  private static func properties(
    _ value: ArchivedValue?
  ) throws(PropertyListError) -> [PropertyMapping] {
    var mappings: [PropertyMapping] = []
    for item in try ModelUnarchiver.items(value) {
      var mapping = PropertyMapping(
        try ModelUnarchiver.text(item.field("NSDestinationPropertyName")), nil)
      if let expression = try item["NSValueExpression"] {
        mapping.valueExpression = try MappingUnarchiver().expression(expression)
      }
      mapping.userInfo = try item["NSUserInfo"].map(notes) ?? [:]
      mappings.append(mapping)
    }
    return mappings
  }

  /// The notes of a mapping. Only texts are kept.
  private static func notes(
    _ value: ArchivedValue
  ) throws(PropertyListError) -> [String: String] {
    guard let entries = try value.entries else {
      throw PropertyListError("notes are of the class \(try value.className)")
    }
    var notes: [String: String] = [:]
    for entry in entries {
      if let text = try entry.value.text { notes[try ModelUnarchiver.text(entry.key)] = text }
    }
    return notes
  }

  // MARK: - Expressions

  private func expression(
    _ value: ArchivedValue
  ) throws(PropertyListError) -> MappingExpression {
    switch try value.className {
    case "NSVariableExpression":
      return .variable(try ModelUnarchiver.text(value.field("NSVariable")))
    case "NSConstantValueExpression":
      return .constant(try PredicateUnarchiver().constant(value["NSConstantValue"]))
    case "NSKeyPathExpression": return try keyPath(value)
    case "NSFunctionExpression": return try function(value)
    case "NSAggregateExpression":
      return .list(try expressions(ModelUnarchiver.items(value["NSCollection"])))
    case "NSFetchRequestExpression":
      return .fetch(
        try deeper().expression(value.field("NSFRExpression")),
        countsOnly: try ModelUnarchiver.flag(value["NSCountOnlyFlag"]))
    case let type: throw PropertyListError("an expression is of the class \(type)")
    }
  }

  private func expressions(
    _ items: [ArchivedValue]
  ) throws(PropertyListError) -> [MappingExpression] {
    let inner = try deeper()
    var expressions: [MappingExpression] = []
    for item in items { expressions.append(try inner.expression(item)) }
    return expressions
  }

  private func keyPath(_ value: ArchivedValue) throws(PropertyListError) -> MappingExpression {
    let arguments = try ModelUnarchiver.items(value["NSArguments"])
    guard arguments.count == 1 else {
      throw PropertyListError("a key path has \(arguments.count) parts")
    }
    let path = try ModelUnarchiver.text(arguments[0].field("NSKeyPath"))
    let names = path.propertyNames
    guard names.allSatisfy({ !$0.isEmpty && $0 != "@" }) else {
      throw PropertyListError("a key path has an empty name")
    }
    let base = try deeper().expression(value.field("NSOperand"))
    if case .keyPath(let first, let earlier) = base { return .keyPath(first, earlier + names) }
    return .keyPath(base, names)
  }

  private func function(_ value: ArchivedValue) throws(PropertyListError) -> MappingExpression {
    let name = try ModelUnarchiver.text(value.field("NSSelectorName"))
    let arguments = try expressions(ModelUnarchiver.items(value["NSArguments"]))
    let target = try value.field("NSOperand")
    let library = try ModelUnarchiver.optionalText(target["NSConstantValueClassName"])
    guard library == "_NSPredicateUtilities" else {
      return .function(try deeper().expression(target), name, arguments)
    }
    if arguments.count == 2, let operation = Self.operations[name] {
      return .arithmetic(operation, arguments[0], arguments[1])
    }
    return .call(name.functionName, arguments)
  }

  private static let operations: [String: ArithmeticOperator] = [
    "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
  ]
}
