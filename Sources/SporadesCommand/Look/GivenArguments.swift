// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesImport
import SporadesModel
import SporadesStore

/// The values of `--arg`, which take the place of variables in a condition and never become a part of its language.
struct GivenArguments {
  private let texts: [String: String]
  private let given: GivenStore

  init(_ invocation: Invocation, _ given: GivenStore) throws {
    var texts: [String: String] = [:]
    for argument in invocation.allValues(VerbOption.arguments.name) {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].hasPrefix("$") ? parts[0].dropFirst() : parts[0])
      guard parts.count == 2, !name.isEmpty else {
        throw invocation.mistake(
          "--arg needs NAME=VALUE, and \(argument.shownAsWord) is not of that form.")
      }
      guard texts.updateValue(String(parts[1]), forKey: name) == nil else {
        throw invocation.mistake("--arg \(name) is given twice.")
      }
    }
    self.texts = texts
    self.given = given
  }

  /// The condition with values in place of its variables. A variable without a value, and a value that no condition
  /// names, are mistakes.
  func bound(_ predicates: [FetchPredicate?], in entity: EntityShape) throws -> [FetchPredicate?] {
    let names = predicates.reduce(into: Set<String>()) { $0.formUnion($1?.variableNames ?? []) }
    if let missing = names.subtracting(texts.keys).min() {
      throw CommandError.asked("$\(missing) has no value; add --arg \(missing)=VALUE.")
    }
    if let unused = Set(texts.keys).subtracting(names).min() {
      throw CommandError.asked("No condition names $\(unused), which --arg gives a value.")
    }
    return try predicates.map { try $0.map { try bound($0, in: entity) } }
  }

  private func bound(_ predicate: FetchPredicate, in entity: EntityShape) throws -> FetchPredicate {
    switch predicate {
    case .constant, .open: return predicate
    case .not(let inner): return .not(try bound(inner, in: entity))
    case .and(let parts): return .and(try parts.map { try bound($0, in: entity) })
    case .or(let parts): return .or(try parts.map { try bound($0, in: entity) })
    case .comparison(var comparison):
      let (left, right) = (comparison.left, comparison.right)
      comparison.left = try bound(left, as: kind(of: right, in: entity))
      comparison.right = try bound(right, as: kind(of: left, in: entity))
      return .comparison(comparison)
    }
  }

  /// The other side of a comparison with a variable.
  private enum Kind {
    case attribute(AttributeType)
    case object
    case text
  }

  private func kind(of expression: FetchExpression, in entity: EntityShape) -> Kind {
    func kind(_ path: [String]) -> Kind {
      // `try?`: the check of the whole condition names a key path that leads nowhere.
      guard let shape = try? KeyPathShape(path, in: entity, given.model) else { return .text }
      return shape.attribute.map { .attribute($0.type) } ?? .object
    }
    switch expression {
    case .keyPath(let path): return kind(path)
    case .subject: return .object
    case .count: return .attribute(.integer64)
    case .aggregate(_, let path): return kind(path)
    case .function(.count, _): return .attribute(.integer64)
    case .function(.average, _): return .attribute(.double)
    case .function(_, let parts) where parts.count == 1: return self.kind(of: parts[0], in: entity)
    default: return .text
    }
  }

  private func bound(_ expression: FetchExpression, as kind: Kind) throws -> FetchExpression {
    var mistake: CommandError?
    let bound = expression.mappingOperands { operand in
      guard case .variable(let name) = operand, let text = texts[name] else { return operand }
      do throws(CommandError) { return .constant(try value(text, name, kind)) } catch {
        mistake = mistake ?? error
        return operand
      }
    }
    if let mistake { throw mistake }
    return bound
  }

  private func value(_ text: String, _ name: String, _ kind: Kind) throws(CommandError) -> Value {
    switch kind {
    case .text: return .string(text)
    case .object: return .objectID(try given.id(text))
    case .attribute(let type):
      do throws(CoercionRefusal) { return try type.value(ofText: text) } catch {
        let date = "a moment in ISO 8601, such as 2026-01-31T12:00:00Z, is needed."
        throw .asked("--arg \(name)=\(text): \(type == .date ? date : error.reason)")
      }
    }
  }
}

extension GivenStore {
  /// The id that has the form `User/12`, or that of a URI.
  func id(_ text: String) throws(CommandError) -> ManagedObjectID {
    let parts = text.split(separator: "/").suffix(2).map(String.init)
    let digits = parts.last.map { $0.hasPrefix("p") ? $0.dropFirst() : $0[...] } ?? ""
    guard parts.count == 2, let number = Int64(digits), number > 0 else {
      throw .asked("\(text.shownAsWord) is no id; write one as in User/12.")
    }
    let shape = try entity(named: parts[0])
    return ManagedObjectID(key: RowKey(entity: shape.number, primaryKey: number), scope: scope)
  }
}
