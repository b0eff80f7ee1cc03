// SPDX-License-Identifier: MIT

// Checks of attributes: their defaults, bounds, lengths, patterns and derivations, and the elements of composites.

extension ModelValidation {
  mutating func check(_ attribute: AttributeDescription, of entity: EntityDescription) {
    check(attribute, path: attribute.name, of: entity)
    if let text = attribute.derivationExpression {
      checkDerivation(text, of: attribute, entity)
    }
  }

  private mutating func check(
    _ attribute: AttributeDescription, path: String, of entity: EntityDescription
  ) {
    checkDefault(of: attribute, path: path, entity)
    checkBounds(of: attribute, path: path, entity)
    checkElements(of: attribute, path: path, entity)
  }

  mutating func checkDefault(
    of attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) {
    guard let mismatch = attribute.type.describeMismatch(with: attribute.defaultValue) else {
      return
    }
    report(.invalidDefault, entity, path, "has a default that \(mismatch)")
  }

  // MARK: - Bounds

  mutating func checkBounds(
    of attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) {
    let bounds = attribute.validation
    for (bound, name) in [(bounds.minimum, "minimum"), (bounds.maximum, "maximum")] {
      guard !bound.isNull else { continue }
      if !attribute.type.isOrderedByValue {
        report(
          .invalidBounds, entity, path,
          "has a \(name), which only numbers and dates can have; remove it, or bound the length.")
      } else if let mismatch = attribute.type.describeMismatch(with: bound) {
        report(.invalidBounds, entity, path, "has a \(name) that \(mismatch)")
      }
    }
    if bounds.minimum.isAbove(bounds.maximum) {
      report(
        .invalidBounds, entity, path,
        "has a minimum above its maximum, so no value satisfies both; swap them.")
    }
    checkLengths(bounds, of: attribute, path: path, entity)
  }

  private mutating func checkLengths(
    _ bounds: AttributeValidation, of attribute: AttributeDescription, path: String,
    _ entity: EntityDescription
  ) {
    let lengths = [bounds.minimumLength, bounds.maximumLength].compactMap(\.self)
    let isText = attribute.type == .string
    if !isText, !lengths.isEmpty || bounds.pattern != nil {
      report(
        .invalidBounds, entity, path,
        attribute.type.isOrderedByValue
          ? "bounds a length or has a pattern, but only strings can. Bound the value with .range(1...5), or remove the bound."
          : "bounds a length or has a pattern, but only strings can; remove the bound.")
    }
    if isText, let pattern = bounds.pattern {
      checkPattern(pattern, of: attribute, path: path, entity)
    }
    if lengths.contains(where: { $0 < 0 }) {
      report(.invalidBounds, entity, path, "has a negative length as a bound; use 0 or more.")
    }
    if let minimum = bounds.minimumLength, let maximum = bounds.maximumLength, minimum > maximum {
      report(
        .invalidBounds, entity, path,
        "has a minimum length above its maximum length, so no text satisfies both; swap them.")
    }
  }

  private mutating func checkPattern(
    _ pattern: String, of attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) {
    do {
      _ = try TextPattern(matching: pattern)
    } catch {
      report(
        .invalidPattern, entity, path,
        "has the pattern \"\(pattern)\", which cannot be used. \(error.detail)")
    }
  }

  // MARK: - Composites

  private mutating func checkElements(
    of attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) {
    if attribute.type == .composite, attribute.elements.isEmpty {
      report(
        .invalidComposite, entity, path,
        "is a composite without elements, which holds nothing; add an element or change its type.")
    }
    if attribute.type != .composite, !attribute.elements.isEmpty {
      report(
        .invalidComposite, entity, path,
        "has elements, which only composites have; make it a composite or remove them.")
    }
    var names: Set<String> = []
    for element in attribute.elements {
      let elementPath = "\(path).\(element.name)"
      if !ModelNames.isIdentifier(element.name) {
        report(
          .invalidName, entity, elementPath,
          "\"\(element.name)\" cannot name an element; use letters, digits and underscores.")
      }
      if !names.insert(element.name).inserted {
        report(
          .duplicateName, entity, elementPath, "is the name of two elements; rename one of them.")
      }
      if element.isDerived {
        report(
          .invalidDerivation, entity, elementPath,
          "is an element and derived; move the derivation to an attribute of the entity.")
      }
      check(element, path: elementPath, of: entity)
    }
  }
}
