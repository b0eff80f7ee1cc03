// SPDX-License-Identifier: MIT
public import SporadesModel

/// One property of a class: an attribute or a relationship, told by its Swift type.
public struct PropertyDeclaration {
  public let name: String
  var attribute: AttributeDescription?
  var destination: ManagedObject.Type?
  private var link: RelationshipDescription?
  var isUnique = false
  var isIndexed = false
  /// What is wrong with the declaration; places are told by the model.
  var problems: [ModelError.Problem] = []
  /// Tell which values are those of a case, for attributes that are enums: by the names of elements,
  /// none for the attribute itself.
  var enumChecks: [[String]: (Value) -> Bool] = [:]

  /// The relationship, leading to the entity of its destination class.
  var relationship: RelationshipDescription? { link }

  init(_ attribute: AttributeDescription, _ options: [AttributeOption]) {
    name = attribute.name
    var attribute = attribute
    for option in options {
      option.change(&attribute)
      isUnique = isUnique || option.isUnique
      isIndexed = isIndexed || option.isIndexed
      if let problem = option.objection(to: attribute.type) { problems.append(problem) }
    }
    self.attribute = attribute
  }

  init(_ link: RelationshipDescription, _ destination: ManagedObject.Type) {
    name = link.name
    self.link = link
    self.destination = destination
  }

  // MARK: - Attributes

  public static func property<V: AttributeConvertible>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(
      AttributeDescription(
        name, V.attributeType, defaultValue: value?.value ?? V.defaultValue), options)
  }

  public static func property<V: AttributeConvertible>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(
      AttributeDescription(
        name, V.attributeType, isOptional: true, defaultValue: value?.value ?? .null), options)
  }

  public static func property<V: RawRepresentable>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self where V.RawValue: AttributeConvertible {
    Self(
      AttributeDescription(
        name, V.RawValue.attributeType, defaultValue: value?.rawValue.value ?? .null), options
    ).checking(V.self)
  }

  public static func property<V: RawRepresentable>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self where V.RawValue: AttributeConvertible {
    Self(
      AttributeDescription(
        name, V.RawValue.attributeType, isOptional: true,
        defaultValue: value?.rawValue.value ?? .null), options
    ).checking(V.self)
  }

  @_disfavoredOverload
  public static func property<V: Codable>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(
      AttributeDescription(
        name, .transformable, isOptional: isOptional(V.self),
        defaultValue: encoded(value, options)), options)
  }

  static func encoded<V: Codable>(_ value: V?, _ options: [AttributeOption]) -> Value {
    guard let value, !isNothing(value) else { return .null }
    var attribute = AttributeDescription("", .transformable)
    for option in options { option.change(&attribute) }
    let transformer: any AttributeTransformer =
      attribute.valueTransformerName.map(Transformers.named) ?? JSONTransformer()
    guard let data = try? transformer.encode(value) else {
      preconditionFailure("A default value of type \(V.self) can not be encoded.")
    }
    return .data(data)
  }

  // MARK: - Relationships

  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: Object?.Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil
  ) -> Self {
    make(
      .toOne(name, "", inverse: inverse, deleteRule: deleteRule), Object.self, minCount, maxCount,
      renamedFrom, hashModifier)
  }

  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: Object.Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil
  ) -> Self {
    make(
      .toOne(name, "", inverse: inverse, isOptional: false, deleteRule: deleteRule), Object.self,
      minCount ?? 1, maxCount, renamedFrom, hashModifier)
  }

  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: Set<Object>.Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil
  ) -> Self {
    make(
      .toMany(name, "", inverse: inverse, deleteRule: deleteRule), Object.self, minCount, maxCount,
      renamedFrom, hashModifier)
  }

  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: [Object].Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil
  ) -> Self {
    make(
      .toMany(name, "", inverse: inverse, isOrdered: true, deleteRule: deleteRule), Object.self,
      minCount, maxCount, renamedFrom, hashModifier)
  }

  private static func make(
    _ link: RelationshipDescription, _ destination: ManagedObject.Type, _ minCount: Int?,
    _ maxCount: Int?, _ renamedFrom: String?, _ hashModifier: String?
  ) -> Self {
    var link = link
    link.minCount = minCount ?? link.minCount
    // What is optional may lead nowhere whatever its minimum says; a minimum that is declared holds.
    if link.minCount > 0 { link.isOptional = false }
    link.maxCount = maxCount ?? link.maxCount
    link.renamingIdentifier = renamedFrom
    link.versionHashModifier = hashModifier
    return Self(link, destination)
  }

  // A property without attribute of its own says by its type what it is.
  public static func property<Object: ManagedObject>(
    _ name: String, _ type: Object?.Type, default: Object? = nil, options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  public static func property<Object: ManagedObject>(
    _ name: String, _ type: Object.Type, default: Object? = nil, options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  public static func property<Object: ManagedObject>(
    _ name: String, _ type: Set<Object>.Type, default: Set<Object>? = nil,
    options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  public static func property<Object: ManagedObject>(
    _ name: String, _ type: [Object].Type, default: [Object]? = nil,
    options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  /// The relationship, which `@Attribute` can say nothing of.
  private func refusing(_ options: [AttributeOption]) -> Self {
    var declaration = self
    declaration.problems = options.map {
      .init(
        .misplacedOption,
        "is a relationship and marked @Attribute(\($0.name)), which has no meaning there; use "
          + "@Relationship, or #Unique and #Index in the class.")
    }
    return declaration
  }

  /// The relationship with its destination's entity and its inverse filled in.
  func resolved(destination: String, inverse: String?) -> RelationshipDescription? {
    guard var link else { return nil }
    link.destinationEntityName = destination
    link.inverseName = inverse
    return link
  }
}

extension AttributeConvertible {
  /// Text, numbers and truth values start as what an absent value shows; dates, ids and data must
  /// be given.
  static var defaultValue: Value { .null }
}
