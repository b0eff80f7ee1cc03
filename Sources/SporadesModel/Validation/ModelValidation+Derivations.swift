// SPDX-License-Identifier: MIT

extension ModelValidation {
  mutating func checkDerivation(
    _ text: String, of attribute: AttributeDescription, _ entity: EntityDescription
  ) {
    guard let derivation = Derivation(text) else {
      report(
        .invalidDerivation, entity, attribute.name,
        "is derived from \"\(text)\", which is not a derivation; use a to-one key path, canonical:,"
          + " uppercase: or lowercase: of one, a to-many @count or @sum, or now(). For another value write a computed property of the class, or set the "
          + "attribute in willSave().")
      return
    }
    if attribute.isTransient {
      report(
        .invalidDerivation, entity, attribute.name,
        "is derived and transient, but a store derives only values that it keeps; make it stored.")
    }
    if let reason = describeObjection(to: derivation, of: attribute, entity) {
      report(
        .invalidDerivation, entity, attribute.name, reason,
        hint: { $0.hint(for: derivation.path, from: entity) })
    }
  }

  private func describeObjection(
    to derivation: Derivation, of attribute: AttributeDescription, _ entity: EntityDescription
  ) -> String? {
    switch derivation {
    case .now:
      return attribute.type == .date
        ? nil : "is derived from now(), but is not a date; change its type to a date."
    case .keyPath(let path):
      guard let source = singleValue(path, from: entity) else {
        return describeObjection(toPath: path, from: entity)
      }
      return source.type == attribute.type || source.type.isNumber && attribute.type.isNumber
        ? nil
        : "is derived from \(path.joined(separator: ".")), which has the type \(source.type); give it the same type."
    case .canonical(let path), .uppercase(let path), .lowercase(let path):
      guard let source = singleValue(path, from: entity) else {
        return describeObjection(toPath: path, from: entity)
      }
      return source.type == .string && attribute.type == .string
        ? nil
        : "changes the case of a value that is not text; derive a string from a string."
    case .count(let path):
      guard case .relationship(let relationship, _)? = lookup.target(of: path, from: entity),
        relationship.isToMany, !relationship.isTransient
      else {
        return
          "counts \(path.joined(separator: ".")), which is not a stored to-many relationship of"
          + " \(entity.name); name such a relationship."
      }
      return attribute.type.isNumber
        ? nil : "is derived from a count, but is not a number; change its type to a number."
    case .sum(let path):
      guard
        case .attribute(let source, crossesToMany: true)? = lookup.target(of: path, from: entity),
        source.type.isNumber, !source.isTransient
      else {
        return "sums \(path.joined(separator: ".")), which is not a number beyond a to-many"
          + " relationship of \(entity.name); name such a number."
      }
      return attribute.type.isNumber
        ? nil : "is derived from a sum, but is not a number; change its type to a number."
    }
  }

  /// Whether the name is that of a function that takes what the path leads to.
  private func isFunction(_ name: String, of path: [String], _ entity: EntityDescription) -> Bool {
    switch lookup.target(of: path, from: entity) {
    case .relationship(let relationship, _): name == "count" && relationship.isToMany
    case .attribute(let source, crossesToMany: false):
      source.type == .string && ["uppercase", "lowercase", "canonical"].contains(name)
    default: false
    }
  }

  private func singleValue(
    _ path: [String], from entity: EntityDescription
  ) -> AttributeDescription? {
    guard let target = lookup.target(of: path, from: entity), target.isSingleStoredValue,
      case .attribute(let source, _) = target
    else { return nil }
    return source
  }

  private func describeObjection(
    toPath path: [String], from entity: EntityDescription
  ) -> String {
    let name = "is derived from \(path.joined(separator: "."))"
    if case .attribute(let source, let crossesToMany)? = lookup.target(of: path, from: entity) {
      if crossesToMany {
        return "\(name), which leads to many objects; derive @count or @sum of them."
      }
      if source.isTransient {
        return "\(name), which is transient, so no store keeps it; derive from a stored attribute."
      }
    }
    let last = path.last ?? ""
    if path.count > 1, isFunction(last, of: Array(path.dropLast()), entity) {
      let front = path.dropLast().joined(separator: ".")
      return
        "\(name), and \(last) is no property; write \(last == "count" ? "\(front).@count" : "\(last):(\(front))")."
    }
    return "\(name), which does not lead through to-one relationships to a stored attribute; "
      + "correct the key path."
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}
