// SPDX-License-Identifier: MIT
import SporadesModel

/// A variable in the condition of a fetch request template, and the type that the comparison gives it.
struct TemplateVariable: Hashable {
  /// The kind of value that a comparison needs.
  enum Kind: Hashable {
    case attribute(AttributeType)
    case object(entity: String)
    case number
    /// No comparison tells the type.
    case any
  }

  let name: String
  var kind: Kind
  var isList = false
}

extension TemplateVariable {
  /// The variables of a request, sorted by name.
  static func all(of request: FetchRequest, in model: ManagedObjectModel) -> [TemplateVariable] {
    guard let predicate = request.predicate, let shape = model.shape(named: request.entityName)
    else { return [] }
    var finder = TemplateVariableFinder(shape: shape, model: model)
    finder.visit(predicate)
    // A variable with a key path behind it, `$owner.name`, is an object of some class.
    let names = Set(predicate.variableNames.map { String($0.prefix { $0 != "." }) })
    return names.sorted().map { finder.found[$0] ?? TemplateVariable(name: $0, kind: .any) }
  }
}

/// Finds out what variables are compared with.
private struct TemplateVariableFinder {
  let shape: EntityShape
  let model: ManagedObjectModel
  private(set) var found: [String: TemplateVariable] = [:]

  init(shape: EntityShape, model: ManagedObjectModel) {
    (self.shape, self.model) = (shape, model)
  }

  mutating func visit(_ predicate: FetchPredicate) {
    switch predicate {
    case .constant, .open: break
    case .not(let inner): visit(inner)
    case .and(let parts), .or(let parts): for part in parts { visit(part) }
    case .comparison(let comparison):
      let takesList = comparison.comparator == .isIn || comparison.comparator == .between
      note(comparison.right, as: kind(of: comparison.left), isList: takesList)
      note(comparison.left, as: kind(of: comparison.right), isList: false)
    }
  }

  /// Notes a variable, or the variables in a list. A variable that two comparisons give different types has no type.
  private mutating func note(
    _ expression: FetchExpression, as kind: TemplateVariable.Kind, isList: Bool
  ) {
    switch expression {
    case .variable(let name) where !name.contains("."):
      let variable = TemplateVariable(name: name, kind: kind, isList: isList && kind != .any)
      if let known = found[name], known != variable {
        found[name] = TemplateVariable(name: name, kind: .any)
      } else {
        found[name] = variable
      }
    case .list(let members): for member in members { note(member, as: kind, isList: false) }
    default: break
    }
  }

  private func kind(of expression: FetchExpression) -> TemplateVariable.Kind {
    switch expression {
    case .subject: return .object(entity: shape.name)
    case .count, .function(.count, _): return .number
    case .keyPath(let path), .aggregate(_, let path):
      // `try?`: a key path that leads nowhere gives no type, and the fetch tells the mistake.
      guard let end = try? KeyPathShape(path, in: shape, model) else { return .any }
      if let attribute = end.attribute { return .attribute(attribute.type) }
      return end.relationships.last.map {
        .object(entity: model.shape(numbered: $0.destination).name)
      } ?? .any
    default: return .any
    }
  }
}
