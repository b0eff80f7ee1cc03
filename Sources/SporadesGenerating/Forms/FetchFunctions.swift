// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Writes a function for each fetch request template of a model.
struct FetchFunctions {
  private let model: ManagedObjectModel
  private let form: GenerationOptions.Form
  /// The names of the classes by the names of the entities.
  private let classes: [String: String]
  /// The names of properties and classes. Where one has the name of a type, the type needs its module.
  private let taken: Set<String>
  /// The templates by their entities, sorted by name, with the names of their functions.
  private var templates: [String: [(name: String, function: String)]] = [:]

  init(
    _ model: ManagedObjectModel, _ form: GenerationOptions.Form, classes: [String: String],
    taken: Set<String>
  ) {
    (self.model, self.form, self.classes, self.taken) = (model, form, classes, taken)
    var names = SwiftNames()
    for (name, request) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
      let function = names.claim("fetch" + name.capitalizedFirst)
      templates[request.entityName, default: []].append((name, function))
    }
  }

  /// The templates of an entity and the names of their functions, sorted by name.
  func templates(of entity: String) -> [(name: String, function: String)] {
    templates[entity] ?? []
  }

  /// A template whose name begins with "one" is a question for one object.
  static func isForOne(_ name: String) -> Bool { name.hasPrefix("one") }

  /// The functions inside the extension of an entity's class, each of which ends with a line break.
  func declarations(of entity: String) -> [String] {
    templates(of: entity).compactMap { name, function in
      guard let request = model.fetchRequestTemplates[name], request.resultType == .managedObject
      else { return nil }
      return declaration(name, function, request)
    }
  }

  /// The sentences about templates that have no function.
  var remarks: [String] {
    model.fetchRequestTemplates.sorted { $0.key < $1.key }.compactMap { name, request in
      request.resultType == .managedObject
        ? nil
        : "\(name): the fetch request template does not ask for objects, so no function is made of it."
    }
  }

  private func declaration(_ name: String, _ function: String, _ request: FetchRequest) -> String {
    let type = classes[request.entityName] ?? "NSManagedObject"
    let isForOne = Self.isForOne(name)
    let result = isForOne ? "\(type)?" : "[\(type)]"
    let variables = TemplateVariable.all(of: request, in: model)
    var labels = SwiftNames(reserved: ["context", "request", "model"])
    let parameters = variables.map { (variable: $0, label: labels.claim($0.name)) }
    let list = parameters.map {
      ", \(SwiftText.identifier($0.label)): \(typeName(of: $0.variable))"
    }
    let values = parameters.map {
      "\(SwiftText.literal($0.variable.name)): \(SwiftText.identifier($0.label))"
    }
    let things = isForOne ? "the first object" : "the objects"
    let lines =
      form == .entity
      ? entityLines(request, type, values, isForOne)
      : managedLines(name, type, values, isForOne)
    let kind = form == .entity ? "static" : "public class"
    let context = form == .entity ? "some FinderContext" : "NSManagedObjectContext"
    return """
        /// Fetches \(things) of the fetch request template \(SwiftText.literal(name)).
        \(kind) func \(function)(in context: \(context)\(list.joined())) throws -> \(result) {
      \(lines.map { "    \($0)\n" }.joined())  }

      """
  }

  private func typeName(of variable: TemplateVariable) -> String {
    let plain: String
    switch variable.kind {
    case .attribute(let type): plain = ClassWriter.plainType(of: type).map(shown) ?? "Any"
    case .object(let entity): plain = classes[entity] ?? "Any"
    case .number: plain = shown(("Int", "Swift"))
    case .any: plain = "Any"
    }
    return variable.isList ? "[\(plain)]" : plain
  }

  private func shown(_ type: (name: String, module: String)) -> String {
    taken.contains(type.name) ? "\(type.module).\(type.name)" : type.name
  }

  private func entityLines(
    _ request: FetchRequest, _ type: String, _ values: [String], _ isForOne: Bool
  ) -> [String] {
    var request = request
    if isForOne { request.fetchLimit = 1 }
    let statements = ModelCodeWriter(model, name: "").statements(for: request, at: "request")
    var lines = [
      "\(statements.isEmpty ? "let" : "var") request = FetchRequest(\(SwiftText.literal(request.entityName)))"
    ]
    lines += statements
    if !values.isEmpty {
      lines.append(
        "request.predicate = request.predicate?.substituting([\(values.joined(separator: ", "))])")
    }
    let fetch = "try context.managedObjectContext.fetch(\(type).self, request)"
    return lines + ["return \(fetch)\(isForOne ? ".first" : "")"]
  }

  private func managedLines(
    _ name: String, _ type: String, _ values: [String], _ isForOne: Bool
  ) -> [String] {
    let variables = values.isEmpty ? "[:]" : "[\(values.joined(separator: ", "))]"
    let text = SwiftText.literal(name)
    return [
      "guard let model = context.persistentStoreCoordinator?.managedObjectModel,",
      "  let request = model.fetchRequestFromTemplate(",
      "    withName: \(text), substitutionVariables: \(variables))",
      "else { preconditionFailure(\"The context has no model with the fetch request template.\") }",
    ] + (isForOne ? ["request.fetchLimit = 1"] : [])
      + [
        "let objects = try context.fetch(request)",
        "return objects.\(isForOne ? "first.flatMap" : "compactMap") { $0 as? \(type) }",
      ]
  }
}
