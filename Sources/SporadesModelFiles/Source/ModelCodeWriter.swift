// SPDX-License-Identifier: MIT
package import SporadesModel

/// Writes the model itself in code: statements that set what is not the default, one after the other, so that
/// the compiler has no long expression to understand.
package struct ModelCodeWriter {
  private let model: ManagedObjectModel
  private let name: String

  package init(_ model: ManagedObjectModel, name: String) {
    self.model = model
    self.name = name
  }

  func text() -> String {
    "import Foundation\nimport Sporades\n\n" + declaration(isolation: "")
  }

  /// The enum without the imports that it needs. `isolation` stands before it, with a blank.
  package func declaration(isolation: String) -> String {
    let entities = model.entities.enumerated().map { index, entity in
      function(of: entity, number: index + 1)
    }
    return """
      /// The model in code.
      \(isolation)enum \(name) {
        static func makeModel() throws -> ManagedObjectModel {
      \(lines(modelStatements()))  }
      \(entities.joined())}

      """
  }

  private func lines(_ statements: [String]) -> String {
    statements.map { "    \($0)\n" }.joined()
  }

  // MARK: - Model

  private func modelStatements() -> [String] {
    let isEmpty = model.entities.isEmpty
    var statements = ["\(isEmpty ? "let" : "var") entities: [EntityDescription] = []"]
    for number in 1...max(1, model.entities.count) where !isEmpty {
      statements.append("entities.append(try entity\(number)())")
    }
    let configurations = model.configurations.sorted { $0.key < $1.key }.map {
      "\(SwiftText.literal($0.key)): \(SwiftText.list($0.value))"
    }
    var arguments = ["entities: entities"]
    if !configurations.isEmpty {
      arguments.append("configurations: [\(configurations.joined(separator: ", "))]")
    }
    if !model.fetchRequestTemplates.isEmpty {
      statements.append("var templates: [String: FetchRequest] = [:]")
      for (name, request) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
        let place = "templates[\(SwiftText.literal(name))]"
        statements.append("\(place) = FetchRequest(\(SwiftText.literal(request.entityName)))")
        statements += self.statements(for: request, at: place + "!")
      }
      arguments.append("fetchRequestTemplates: templates")
    }
    if !model.versionIdentifiers.isEmpty {
      arguments.append("versionIdentifiers: \(SwiftText.list(model.versionIdentifiers.sorted()))")
    }
    return statements + ["return try ManagedObjectModel(\(arguments.joined(separator: ", ")))"]
  }

  // MARK: - Entities

  private func function(of entity: EntityDescription, number: Int) -> String {
    var code = Statements(place: "entity")
    var statements = ["var entity = EntityDescription(\(SwiftText.literal(entity.name)))"]
    code.set("managedObjectClassName", entity.managedObjectClassName)
    if entity.isAbstract { code.add("isAbstract", "true") }
    code.set("superentityName", entity.superentityName)
    code.set("versionHashModifier", entity.versionHashModifier)
    code.set("renamingIdentifier", entity.renamingIdentifier)
    code.set("userInfo", entity.userInfo)
    let groups = [
      ("uniquenessConstraints", entity.uniquenessConstraints),
      ("unenforcedConstraints", entity.unenforcedConstraints),
    ]
    for (name, constraints) in groups where !constraints.isEmpty {
      code.add(name, "[\(constraints.map(SwiftText.list).joined(separator: ", "))]")
    }
    statements += code.lines
    for (index, attribute) in entity.attributes.enumerated() {
      statements += self.statements(for: attribute, in: "entity.attributes", index)
    }
    for (index, relationship) in entity.relationships.enumerated() {
      statements += self.statements(for: relationship, index)
    }
    for (index, fetched) in entity.fetchedProperties.enumerated() {
      statements += self.statements(for: fetched, index)
    }
    statements += entity.indexes.map(statement)
    if statements.count == 1 { statements = ["let" + statements[0].dropFirst(3)] }
    return """

        private static func entity\(number)() throws -> EntityDescription {
      \(lines(statements + ["return entity"]))  }

      """
  }

  private func statement(for index: FetchIndexDescription) -> String {
    let condition = index.partialIndexPredicate.map { ", where: \(expression($0))" } ?? ""
    return "entity.indexes.append(FetchIndexDescription("
      + "\(SwiftText.literal(index.name)), \(SwiftText.list(index.elements))\(condition)))"
  }

  private func expression(_ predicate: FetchPredicate) -> String {
    "try FetchPredicate(format: \(SwiftText.literal(predicate.predicateFormat)))"
  }

  // MARK: - Properties

  private func statements(
    for attribute: AttributeDescription, in list: String, _ index: Int
  ) -> [String] {
    var arguments = [SwiftText.literal(attribute.name), ".\(attribute.type)"]
    if attribute.isOptional { arguments.append("isOptional: true") }
    if attribute.isTransient { arguments.append("isTransient: true") }
    if let value = SwiftText.value(attribute.defaultValue) {
      arguments.append("defaultValue: \(value)")
    }
    var code = Statements(place: "\(list)[\(index)]")
    code.set("derivationExpression", attribute.derivationExpression)
    if attribute.allowsExternalBinaryDataStorage {
      code.add("allowsExternalBinaryDataStorage", "true")
    }
    if attribute.preservesValueInHistoryOnDeletion {
      code.add("preservesValueInHistoryOnDeletion", "true")
    }
    if attribute.isIndexedBySpotlight { code.add("isIndexedBySpotlight", "true") }
    code.set("valueTransformerName", attribute.valueTransformerName)
    code.set("attributeValueClassName", attribute.attributeValueClassName)
    code.set("versionHashModifier", attribute.versionHashModifier)
    code.set("renamingIdentifier", attribute.renamingIdentifier)
    code.set("userInfo", attribute.userInfo)
    addBounds(attribute.validation, to: &code)
    var statements =
      ["\(list).append(AttributeDescription(\(arguments.joined(separator: ", "))))"] + code.lines
    for (number, element) in attribute.elements.enumerated() {
      statements += self.statements(for: element, in: "\(list)[\(index)].elements", number)
    }
    return statements
  }

  private func addBounds(_ bounds: AttributeValidation, to code: inout Statements) {
    if let value = SwiftText.value(bounds.minimum) { code.add("validation.minimum", value) }
    if let value = SwiftText.value(bounds.maximum) { code.add("validation.maximum", value) }
    if let length = bounds.minimumLength { code.add("validation.minimumLength", "\(length)") }
    if let length = bounds.maximumLength { code.add("validation.maximumLength", "\(length)") }
    code.set("validation.pattern", bounds.pattern)
    if !bounds.predicates.isEmpty {
      let texts = bounds.predicates.map(expression)
      code.add("validation.predicates", "[\(texts.joined(separator: ", "))]")
    }
  }

  private func statements(for relationship: RelationshipDescription, _ index: Int) -> [String] {
    var arguments = [relationship.name, relationship.destinationEntityName].map(SwiftText.literal)
    if let inverse = relationship.inverseName {
      arguments.append("inverse: \(SwiftText.literal(inverse))")
    }
    if !relationship.isOptional { arguments.append("isOptional: false") }
    if relationship.isToMany, relationship.isOrdered { arguments.append("isOrdered: true") }
    arguments.append("deleteRule: .\(relationship.deleteRule)")
    var code = Statements(place: "entity.relationships[\(index)]")
    if !relationship.isToMany, relationship.isOrdered { code.add("isOrdered", "true") }
    if relationship.isTransient { code.add("isTransient", "true") }
    if relationship.minCount != 0 { code.add("minCount", "\(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount != 0 {
      code.add("maxCount", "\(relationship.maxCount)")
    }
    code.set("unansweredInverseName", relationship.unansweredInverseName)
    code.set("versionHashModifier", relationship.versionHashModifier)
    code.set("renamingIdentifier", relationship.renamingIdentifier)
    code.set("userInfo", relationship.userInfo)
    let kind = relationship.isToMany ? "toMany" : "toOne"
    return ["entity.relationships.append(.\(kind)(\(arguments.joined(separator: ", "))))"]
      + code.lines
  }

  private func statements(for fetched: FetchedPropertyDescription, _ index: Int) -> [String] {
    let place = "entity.fetchedProperties[\(index)]"
    var code = Statements(place: place)
    code.set("userInfo", fetched.userInfo)
    let request = "FetchRequest(\(SwiftText.literal(fetched.request.entityName)))"
    let mark = fetched.isOptional ? "" : ", isOptional: false"
    return [
      "entity.fetchedProperties.append(FetchedPropertyDescription("
        + "\(SwiftText.literal(fetched.name)), \(request)\(mark)))"
    ] + statements(for: fetched.request, at: place + ".request") + code.lines
  }

  // MARK: - Requests

  /// Statements that give a request its properties.
  package func statements(for request: FetchRequest, at place: String) -> [String] {
    var code = Statements(place: place)
    if let predicate = request.predicate { code.add("predicate", expression(predicate)) }
    if !request.sortTerms.isEmpty {
      code.add("sortTerms", "[\(request.sortTerms.map(\.swiftExpression).joined(separator: ", "))]")
    }
    if let limit = request.fetchLimit { code.add("fetchLimit", "\(limit)") }
    if request.fetchOffset != 0 { code.add("fetchOffset", "\(request.fetchOffset)") }
    if let size = request.fetchBatchSize { code.add("fetchBatchSize", "\(size)") }
    if !request.includesSubentities { code.add("includesSubentities", "false") }
    if !request.includesPropertyValues { code.add("includesPropertyValues", "false") }
    if !request.includesPendingChanges { code.add("includesPendingChanges", "false") }
    if !request.returnsObjectsAsFaults { code.add("returnsObjectsAsFaults", "false") }
    if request.shouldRefreshRefetchedObjects { code.add("shouldRefreshRefetchedObjects", "true") }
    if request.returnsDistinctResults { code.add("returnsDistinctResults", "true") }
    if request.resultType != .managedObject { code.add("resultType", ".\(request.resultType)") }
    let paths = request.relationshipKeyPathsForPrefetching
    if !paths.isEmpty { code.add("relationshipKeyPathsForPrefetching", SwiftText.list(paths)) }
    if let stores = request.affectedStores {
      code.add("affectedStores", SwiftText.list(stores.sorted()))
    }
    return code.lines
  }
}

/// Assignments to members of one place.
private struct Statements {
  let place: String
  private(set) var lines: [String] = []

  init(place: String) { self.place = place }

  mutating func add(_ member: String, _ value: String) {
    lines.append("\(place).\(member) = \(value)")
  }

  mutating func set(_ member: String, _ text: String?) {
    if let text { add(member, SwiftText.literal(text)) }
  }

  mutating func set(_ member: String, _ notes: [String: String]) {
    if !notes.isEmpty { add(member, SwiftText.dictionary(notes)) }
  }
}

extension SortTerm {
  fileprivate var swiftExpression: String {
    let order = ascending ? "" : ", ascending: false"
    let text = options.isEmpty ? "" : ", options: .init(rawValue: \(options.rawValue))"
    let place = nils.map { ", nils: .\($0)" } ?? ""
    let language = collation.map { collation in
      let locale = collation.locale.map { "(locale: \(SwiftText.literal($0)))" } ?? ""
      return ", collation: .\(collation.comparison.rawValue)\(locale)"
    }
    return "SortTerm(\(SwiftText.literal(spelling))\(order)\(text)\(place)\(language ?? ""))"
  }
}

extension SwiftText {
  /// An expression of the type ``Value``; nil for null, and for values that no description holds.
  static func value(_ value: Value) -> String? {
    guard !value.isNull, let text = expression(value) else { return nil }
    switch value {
    case .boolean: return ".boolean(\(text))"
    case .integer: return ".integer(\(text))"
    case .double: return ".double(\(text))"
    case .decimal: return ".decimal(\(text))"
    case .string: return ".string(\(text))"
    case .date: return ".date(\(text))"
    case .data: return ".data(\(text))"
    case .uuid: return ".uuid(\(text))"
    case .url: return ".url(\(text))"
    case .null, .objectID, .list: return nil
    }
  }
}
