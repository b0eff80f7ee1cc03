// SPDX-License-Identifier: MIT
import SporadesModel

extension PropertyDeclaration {
  public static func property<V: CompositeAttribute>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(composite(name, value), options).containing(V.elements)
  }

  public static func property<V: CompositeAttribute>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    var attribute = composite(name, value)
    attribute.isOptional = true
    return Self(attribute, options).containing(V.elements)
  }

  /// The composite with what its members tell beyond their attributes.
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

  /// What no member of a composite can be.
  private var problemsAsMember: [ModelError.Problem] {
    if attribute == nil {
      return [
        .init(
          .invalidComposite,
          "is a relationship, and the members of a composite attribute are plain attributes; move it "
            + "to the entity.")
      ]
    }
    guard isUnique || isIndexed else { return [] }
    let (option, list) = isUnique ? (".unique", "#Unique") : (".indexed", "#Index")
    return [
      .init(
        .misplacedOption,
        "is marked \(option), which a member of a composite can not be; name it in \(list) of the "
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
  /// Gives every element the default that stands for it in a list.
  fileprivate mutating func setDefaults(_ value: Value) {
    guard type == .composite, case .list(let values) = value else {
      defaultValue = value
      return
    }
    for index in elements.indices { elements[index].setDefaults(values[index]) }
  }
}

extension ModelError.Problem {
  /// The problem of a member, seen from the composite around it.
  fileprivate func below(_ member: String) -> Self {
    let path = [member, property].compactMap(\.self).joined(separator: ".")
    return Self(code, entity: entity, property: path, location: location, detail)
  }

  /// The problem with its place in the model.
  func placed(in entity: String, _ name: String) -> Self {
    let path = [name, property].compactMap(\.self).joined(separator: ".")
    return Self(code, entity: entity, property: path, location: location, detail)
  }
}
