// SPDX-License-Identifier: MIT
import SporadesModel

extension PropertyDeclaration {
  /// Declares a required composite attribute.
  public static func property<V: CompositeAttribute>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(composite(name, value), options).containing(V.elements)
  }

  /// Declares an optional composite attribute.
  public static func property<V: CompositeAttribute>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    var attribute = composite(name, value)
    attribute.isOptional = true
    var declaration = Self(attribute, options).containing(V.elements)
    declaration.beginsNull = value == nil
    return declaration
  }

  /// The composite with the problems and enum checks of its members.
  private func containing(_ elements: [PropertyDeclaration]) -> Self {
    var declaration = self
    for element in elements {
      declaration.problems += element.problems.map { $0.below(element.name) }
      declaration.problems += element.problemsAsMember.map { $0.below(element.name) }
      for (path, check) in element.enumChecks {
        declaration.enumChecks[[element.name] + path] = check
      }
    }
    return declaration
  }

  /// The problems of a property that can not be a member of a composite.
  private var problemsAsMember: [ModelError.Problem] {
    if attribute == nil {
      return [
        .init(
          .invalidComposite,
          "is a relationship, but a composite attribute has only attributes as members; move it "
            + "to the entity.")
      ]
    }
    guard isUnique || isIndexed else { return [] }
    let (option, list) = isUnique ? (".unique", "#Unique") : (".indexed", "#Index")
    return [
      .init(
        .misplacedOption,
        "is marked \(option), which a member of a composite can not have; list it in \(list) of the "
          + "entity's class.")
    ]
  }

  private static func composite<V: CompositeAttribute>(
    _ name: String, _ value: V?
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, .composite)
    attribute.elements = V.elements.compactMap(\.attribute)
    if let value {
      var values = CompositeValues(attribute.elements)
      value.write(to: &values)
      attribute.setDefaults(values.value)
    }
    return attribute
  }
}

extension AttributeDescription {
  /// Sets the default of every element from a list of values.
  fileprivate mutating func setDefaults(_ value: Value) {
    guard type == .composite, case .list(let values) = value else {
      defaultValue = value
      return
    }
    for index in elements.indices { elements[index].setDefaults(values[index]) }
  }
}

extension ModelError.Problem {
  /// The problem with the composite's member in front of its path.
  fileprivate func below(_ member: String) -> Self {
    let path = [member, property].compactMap(\.self).joined(separator: ".")
    return Self(code, entity: entity, property: path, location: location, detail)
  }

  /// The problem with the names of its entity and property.
  func placed(in entity: String, _ name: String) -> Self {
    let path = [name, property].compactMap(\.self).joined(separator: ".")
    return Self(code, entity: entity, property: path, location: location, detail)
  }
}
