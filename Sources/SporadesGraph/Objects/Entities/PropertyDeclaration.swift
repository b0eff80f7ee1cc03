// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

/// A property that a class declares: an attribute or a relationship, according to its Swift type, with the default of new
/// objects.
public struct PropertyDeclaration {
  /// The name of the property.
  public let name: String
  var attribute: AttributeDescription?
  var destination: ManagedObject.Type?
  private var link: RelationshipDescription?
  /// The declaration says that the relationship has no inverse, and it is the inverse of none.
  private(set) var refusesInverse = false
  var isUnique = false
  var isIndexed = false
  /// Mistakes in the declaration. The model adds the entity to each.
  var problems: [ModelError.Problem] = []
  /// The checks of enum attributes: whether a raw value belongs to a case. The key is the path to
  /// an element of a composite, and empty for the attribute itself.
  var enumChecks: [[String]: EnumCases] = [:]
  /// Makes the default of each new object; nil where one value serves all.
  var freshDefault: (() -> Value)?
  /// New objects begin without a value, although members of the composite have defaults.
  var beginsNull = false
  /// Turns JSON into the stored bytes of a `Codable` attribute; nil for every other property.
  var encodeJSON: JSONEncoding?

  /// The relationship; nil for an attribute.
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

  /// Declares a required attribute. Each new object gets a default of its own if the expression gives another
  /// value each time, as `UUID()` and `Date()` do.
  public static func property<V: AttributeConvertible>(
    _ name: String, _ type: V.Type, default value: @autoclosure @escaping () -> V? = nil,
    options: [AttributeOption] = []
  ) -> Self {
    Self(AttributeDescription(name, V.attributeType), options, V.defaultValue) {
      value()?.value
    }
  }

  /// Declares an optional attribute, whose default may be another value each time, too.
  public static func property<V: AttributeConvertible>(
    _ name: String, _ type: V?.Type, default value: @autoclosure @escaping () -> V? = nil,
    options: [AttributeOption] = []
  ) -> Self {
    Self(AttributeDescription(name, V.attributeType, isOptional: true), options, .null) {
      value()?.value
    }
  }

  private init(
    _ attribute: AttributeDescription, _ options: [AttributeOption], _ usual: Value,
    _ makeDefault: @escaping () -> Value?
  ) {
    var attribute = attribute
    let first = makeDefault()
    attribute.defaultValue = first ?? usual
    self.init(attribute, options)
    guard first != nil else { return }
    if attribute.type == .date { Self.waitForTheClock() }
    if makeDefault() != first { freshDefault = { makeDefault() ?? .null } }
  }

  /// Two dates of now are equal if the clock has made no step between them. It makes one each microsecond at least.
  private static func waitForTheClock() {
    let start = Date()
    while Date() == start {}
  }

  /// Declares a required enum attribute.
  public static func property<V: RawRepresentable>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self where V.RawValue: AttributeConvertible {
    Self(
      AttributeDescription(
        name, V.RawValue.attributeType, defaultValue: value?.rawValue.value ?? .null), options
    ).checking(V.self)
  }

  /// Declares an optional enum attribute.
  public static func property<V: RawRepresentable>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self where V.RawValue: AttributeConvertible {
    Self(
      AttributeDescription(
        name, V.RawValue.attributeType, isOptional: true,
        defaultValue: value?.rawValue.value ?? .null), options
    ).checking(V.self)
  }

  /// Declares a transformable attribute of any `Codable` type.
  @_disfavoredOverload
  public static func property<V: Codable>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(
      AttributeDescription(
        name, .transformable, isOptional: isOptional(V.self),
        defaultValue: encoded(value, options)), options
    ).encodingJSON(V.self)
  }

  /// Declares a transformable attribute whose values are objects of a class.
  @available(
    *, deprecated,
    message:
      "a change inside the object of a class is not noticed and not saved; declare a struct, or set the property to a new object for each change"
  )
  public static func property<V: Codable & AnyObject>(
    _ name: String, _ type: V.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(
      AttributeDescription(
        name, .transformable, defaultValue: encoded(value, options)), options
    ).encodingJSON(V.self)
  }

  /// Declares an optional transformable attribute whose values are objects of a class.
  @available(
    *, deprecated,
    message:
      "a change inside the object of a class is not noticed and not saved; declare a struct, or set the property to a new object for each change"
  )
  public static func property<V: Codable & AnyObject>(
    _ name: String, _ type: V?.Type, default value: V? = nil, options: [AttributeOption] = []
  ) -> Self {
    Self(
      AttributeDescription(
        name, .transformable, isOptional: true, defaultValue: encoded(value, options)), options
    ).encodingJSON(V.self)
  }

  static func encoded<V: Codable>(_ value: V?, _ options: [AttributeOption]) -> Value {
    guard let value, !isNothing(value) else { return .null }
    var attribute = AttributeDescription("", .transformable)
    for option in options { option.change(&attribute) }
    let transformer: any AttributeTransformer =
      attribute.valueTransformerName.map(Transformers.named) ?? JSONTransformer()
    // `try?`, because the trap below names the mistake.
    guard let data = try? transformer.encode(value) else {
      trap(
        "The attribute's transformer can not encode its default value of type \(V.self). Give another default."
      )
    }
    return .data(data)
  }

  // MARK: - Relationships

  /// Declares an optional to-one relationship. An empty text in the place of the inverse's name says that
  /// there is none.
  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: Object?.Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil, options: [RelationshipOption] = []
  ) -> Self {
    declare(
      .toOne(name, "", inverse: inverse, deleteRule: deleteRule), Object.self, minCount, maxCount,
      renamedFrom, hashModifier, options)
  }

  /// Declares a required to-one relationship.
  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: Object.Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil, options: [RelationshipOption] = []
  ) -> Self {
    declare(
      .toOne(name, "", inverse: inverse, isOptional: false, deleteRule: deleteRule), Object.self,
      minCount ?? 1, maxCount, renamedFrom, hashModifier, options)
  }

  /// Declares a to-many relationship.
  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: Set<Object>.Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil, options: [RelationshipOption] = []
  ) -> Self {
    declare(
      .toMany(name, "", inverse: inverse, deleteRule: deleteRule), Object.self, minCount, maxCount,
      renamedFrom, hashModifier, options)
  }

  /// Declares an ordered to-many relationship.
  public static func relationship<Object: ManagedObject>(
    _ name: String, _ type: [Object].Type, deleteRule: DeleteRule = .nullify,
    inverse: String? = nil, minCount: Int? = nil, maxCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil, options: [RelationshipOption] = []
  ) -> Self {
    declare(
      .toMany(name, "", inverse: inverse, isOrdered: true, deleteRule: deleteRule), Object.self,
      minCount, maxCount, renamedFrom, hashModifier, options)
  }

  private static func declare(
    _ link: RelationshipDescription, _ destination: ManagedObject.Type, _ minCount: Int?,
    _ maxCount: Int?, _ renamedFrom: String?, _ hashModifier: String?,
    _ options: [RelationshipOption]
  ) -> Self {
    var link = link
    link.minCount = minCount ?? link.minCount
    // An optional relationship may be empty whatever its minimum is. A declared minimum must hold,
    // so it makes the relationship required.
    if link.minCount > 0 { link.isOptional = false }
    link.maxCount = maxCount ?? link.maxCount
    link.renamingIdentifier = renamedFrom
    link.versionHashModifier = hashModifier
    for option in options { option.change(&link) }
    let refusesInverse = link.inverseName == ""
    if refusesInverse { link.inverseName = nil }
    var declaration = Self(link, destination)
    declaration.refusesInverse = refusesInverse
    return declaration
  }

  /// Declares a to-one relationship for a property without an attribute macro. Its type says that it
  /// is a relationship.
  public static func property<Object: ManagedObject>(
    _ name: String, _ type: Object?.Type, default: Object? = nil, options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  /// Declares a required to-one relationship for a property without an attribute macro.
  public static func property<Object: ManagedObject>(
    _ name: String, _ type: Object.Type, default: Object? = nil, options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  /// Declares a to-many relationship for a property without an attribute macro.
  public static func property<Object: ManagedObject>(
    _ name: String, _ type: Set<Object>.Type, default: Set<Object>? = nil,
    options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  /// Declares an ordered to-many relationship for a property without an attribute macro.
  public static func property<Object: ManagedObject>(
    _ name: String, _ type: [Object].Type, default: [Object]? = nil,
    options: [AttributeOption] = []
  ) -> Self { relationship(name, type).refusing(options) }

  /// The relationship with a problem for each option, because `@Attribute` has no meaning for
  /// relationships.
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

  /// The relationship with the names of its destination entity and its inverse.
  func resolved(destination: String, inverse: String?) -> RelationshipDescription? {
    guard var link else { return nil }
    link.destinationEntityName = destination
    link.inverseName = inverse
    return link
  }
}

extension AttributeConvertible {
  /// The default is null. Text, numbers and truth values then show an empty value; dates, ids and
  /// data must be set.
  static var defaultValue: Value { .null }
}
