// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Writes a function for each fetch request template of a model.
struct FetchFunctions {
  private let model: ManagedObjectModel
  private let form: GenerationOptions.Form
  private let access: String
  /// The names of the classes by the names of the entities.
  private let classes: [String: String]
  /// The names of properties and classes. Where one has the name of a type, the type needs its module.
  private let taken: Set<String>
  /// The templates by their entities, sorted by name, with the names of their functions.
  private var templates: [String: [(name: String, function: String)]] = [:]

  init(
    _ model: ManagedObjectModel, _ options: GenerationOptions, classes: [String: String],
    taken: Set<String>
  ) {
    (self.model, self.classes, self.taken) = (model, classes, taken)
    (form, access) = (options.form, options.access)
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

  /// The functions of an entity have parameters of Foundation's types.
  func typesNeedFoundation(of entity: String) -> Bool {
    templates(of: entity).contains { name, _ in
      guard let request = model.fetchRequestTemplates[name], request.resultType == .managedObject
      else { return false }
      return TemplateVariable.all(of: request, in: model).contains { variable in
        guard case .attribute(let type) = variable.kind else { return false }
        return ClassWriter.plainType(of: type)?.module == "Foundation"
      }
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
    var labels = SwiftNames(reserved: ["context", "request", "model", "objects"])
    let parameters = variables.map { (variable: $0, label: labels.claim($0.name)) }
    let list = parameters.map {
      ", \(SwiftText.identifier($0.label)): \(typeName(of: $0.variable))"
    }
    let values = parameters.map {
      "\(SwiftText.literal($0.variable.name)): \(SwiftText.identifier($0.label))"
    }
    let things = isForOne ? "the one object" : "the objects"
    // Two objects tell that there are several.
    let limit = isForOne ? min(request.fetchLimit ?? 2, 2) : nil
    let warning = limit == 2 ? [warning("\(type).\(function)")] : []
    let remark =
      limit == 2
      ? "\n  /// If there are several, it returns the first and writes a line to standard error."
      : ""
    let lines =
      form == .entity
      ? entityLines(request, type, values, limit, warning)
      : managedLines(name, type, values, limit, warning)
    let kind = access + (form == .entity ? "static" : "class")
    let context = form == .entity ? "some FinderContext" : "NSManagedObjectContext"
    return """
        /// Fetches \(things) of the fetch request template \(SwiftText.literal(name)).\(remark)
        \(kind) func \(function)(in context: \(context)\(list.joined())) throws -> \(result) {
      \(lines.map { "    \($0)\n" }.joined())  }

      """
  }

  /// The statement that reports several objects where one is expected, as mogenerator does.
  private func warning(_ function: String) -> String {
    let text = SwiftText.literal("\(function): 0 or 1 objects expected, several found\n")
    let (file, data) = (shown(("FileHandle", "Foundation")), shown(("Data", "Foundation")))
    return "if objects.count > 1 { \(file).standardError.write(\(data)(\(text).utf8)) }"
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
    _ request: FetchRequest, _ type: String, _ values: [String], _ limit: Int?,
    _ warning: [String]
  ) -> [String] {
    var request = request
    if let limit { request.fetchLimit = limit }
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
    guard limit != nil else { return lines + ["return \(fetch)"] }
    return lines + ["let objects = \(fetch)"] + warning + ["return objects.first"]
  }

  private func managedLines(
    _ name: String, _ type: String, _ values: [String], _ limit: Int?, _ warning: [String]
  ) -> [String] {
    let variables = values.isEmpty ? "[:]" : "[\(values.joined(separator: ", "))]"
    let text = SwiftText.literal(name)
    return [
      "guard let model = context.persistentStoreCoordinator?.managedObjectModel,",
      "  let request = model.fetchRequestFromTemplate(",
      "    withName: \(text), substitutionVariables: \(variables))",
      "else { preconditionFailure(\"The context has no model with the fetch request template.\") }",
    ] + (limit.map { ["request.fetchLimit = \($0)"] } ?? [])
      + ["let objects = try context.fetch(request)"] + warning
      + ["return objects.\(limit != nil ? "first.flatMap" : "compactMap") { $0 as? \(type) }"]
  }
}
