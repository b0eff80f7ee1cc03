// SPDX-License-Identifier: MIT
import SporadesModel

// Values by the names of attributes, for the objects of a batch.
extension ManagedObject {
  /// Sets attributes by their names, and members of composites by their paths. Throws for a name or a value that does
  /// not fit, with the number of the row.
  package final func setValues(_ values: [String: Any?], row: Int) throws {
    do {
      // Paths come after names, so a member goes before its whole composite.
      var paths: [(String, Any?)] = []
      for (name, argument) in values {
        if home.shape[name] == nil, name.contains(".") {
          paths.append((name, argument))
        } else {
          try setValue(argument, at: [name])
        }
      }
      for (path, argument) in paths {
        let names = path.split(separator: ".", omittingEmptySubsequences: false)
        try setValue(argument, at: names.map(String.init))
      }
    } catch ContextError.unsupportedRequest(let reason) {
      throw ContextError.unsupportedRequest("\(reason) It is row \(row) of the batch.")
    }
  }

  private final func setValue(_ argument: Any?, at path: [String]) throws {
    if case .relationship? = path.first.flatMap({ home.shape[$0] }) {
      throw ContextError.unsupportedRequest(
        "A batch sets \(home.shape.name).\(path.joined(separator: ".")), which is a relationship. Set relationships in the "
          + "closure of a batch.")
    }
    let attribute = try BatchAssignment.attribute(at: path, in: home.shape)
    guard attribute.type == .composite else {
      return try set(
        BatchAssignment.value(of: argument, for: attribute, at: path, of: home), of: attribute)
    }
    for (name, member) in try members(of: argument, attribute, path) {
      try setValue(member, at: path + [name])
    }
  }

  /// The values of a composite's members, by name: of its struct, of a dictionary, or of nil.
  private final func members(
    of argument: Any?, _ attribute: AttributeShape, _ path: [String]
  ) throws -> [(String, Any?)] {
    let names = attribute.elements.map(\.name)
    switch argument {
    case nil: return names.map { ($0, nil) }
    case let composite as any CompositeAttribute
    where type(of: composite).elements.map(\.name) == names:
      var values = CompositeValues(attribute.description.elements)
      composite.write(to: &values)
      guard case .list(let all) = values.value else { return [] }
      return zip(names, all).map { ($0, $1) }
    case .list(let values) as Value where values.count == names.count:
      return zip(names, values).map { ($0, $1) }
    case let members as [String: Any?]: return members.map { ($0, $1) }
    default:
      throw ContextError.unsupportedRequest(
        "\(home.shape.name).\(path.joined(separator: ".")) is a composite and is set to a value of type "
          + "\(argument.map { "\(type(of: $0))" } ?? "nil"). Set its struct, a dictionary of its members, or single members "
          + "by their paths: \((path + names.prefix(1)).joined(separator: ".")).")
    }
  }
}
