// SPDX-License-Identifier: MIT
import SporadesModel

/// An entity of a stack bound to a class. It is computed once for a stack and shared by all its
/// contexts.
///
/// The class names its properties by their places in its declaration. The binding maps places to
/// slots, so one class can serve several models.
@safe @usableFromInline
final class EntityBinding: @unchecked Sendable {
  // @unchecked: `init` writes all memory, and nothing writes it afterwards.
  let shape: EntityShape
  let type: ManagedObject.Type
  /// The entity as another module knows it; nil if the model alone has it.
  @usableFromInline let entity: AnyObject?
  /// The location of each property, by place in the class's declaration, or in the shape if another module knows the entity:
  /// the slot for a value in the row, or −1 − index in `shape.properties` for all others. A value that may lie in a file
  /// counts among the others.
  let places: UnsafeMutablePointer<Int32>
  /// The relationship at each place in the class's declaration; nil at a place of another property.
  let relationships: [RelationshipShape?]
  /// The slots of a new object, as ``RowLayout/openRow(with:)`` makes them.
  let newRow: [UInt8]
  /// The default values of a new object, by slot. Null defaults are left out.
  let defaults: [Int: Cell]
  /// The defaults that lie in the byte region. All new objects of a page share their bytes there.
  let defaultBytes: [(slot: Int, bytes: [UInt8])]
  /// The defaults that may lie outside the page. Each new object has its own.
  let largeDefaults: [(slot: Int, bytes: [UInt8])]
  /// The defaults that are made anew for each object.
  let freshDefaults: [(attribute: AttributeShape, make: () -> Value)]
  /// The slots that must have a value in a save.
  let requiredSlots: [Int]
  /// The floating-point numbers and dates that a program sets. SQLite would store NaN as nil.
  let realSlots: [Int]
  /// The attributes with bounds, members of composites included, with the path to each.
  let validatedAttributes: [(path: [String], attribute: AttributeShape)]
  /// The cases of enum attributes, by path.
  let enumChecks: [[String]: EnumCases]
  /// The properties that the class checks itself.
  let validatedProperties: [String]
  /// Checks objects of the class against the model.
  let check: any ModelCheck
  /// The to-many relationships whose count the model bounds. (Required to-one relationships are
  /// among the required slots.)
  let countedRelationships: [RelationshipShape]
  let toOneRelationships: [RelationshipShape]
  let toManyRelationships: [RelationshipShape]
  /// The relationships that deny the deletion of the object while they lead to objects.
  let denyingRelationships: [RelationshipShape]
  /// The slots that hold the owner of a relationship without an inverse.
  let ownerSlots: [Int]
  /// Whether deleting an object deletes others.
  let hasCascades: Bool
  /// The ways in which values of `Codable` attributes come from JSON, by the names of the attributes.
  let jsonEncodings: [(name: String, encode: JSONEncoding)]

  init(
    shape: EntityShape, _ chosen: EntityClass, _ declared: Declarations, _ check: any ModelCheck
  ) {
    let type = chosen.type
    self.shape = shape
    self.type = type
    entity = chosen.entity
    self.check = check
    let properties = type == ManagedObject.self ? [] : declared.allProperties(of: type)
    let names = chosen.entity == nil ? properties.map(\.name) : shape.properties.map(\.name)
    jsonEncodings = properties.compactMap { property in
      property.encodeJSON.map { (property.name, $0) }
    }
    unsafe places = .allocate(capacity: max(1, names.count))
    for (place, name) in names.enumerated() {
      unsafe (places + place).initialize(to: Self.place(of: name, in: shape))
    }
    relationships = names.map { name in
      if case .relationship(let relationship)? = shape[name] { relationship } else { nil }
    }
    let defaults = Self.defaults(
      of: shape, leavingOut: Set(properties.filter(\.beginsNull).map(\.name)))
    self.defaults = defaults
    newRow = shape.layout.openRow(
      with: defaults.compactMapValues { if case .word(let word) = $0 { word } else { nil } })
    let bytes = Self.bytes(in: defaults)
    defaultBytes = bytes.filter { !shape.layout.isLarge($0.slot) }
    largeDefaults = bytes.filter { shape.layout.isLarge($0.slot) }
    freshDefaults = Self.freshDefaults(of: type, shape, declared)
    requiredSlots = Self.requiredSlots(of: shape)
    realSlots = Self.realSlots(of: shape)
    validatedAttributes = Self.validatedAttributes(shape.attributes)
    enumChecks = type == ManagedObject.self ? [:] : declared[type].enumChecks
    validatedProperties = type.validatedProperties + chosen.validatedProperties
    toOneRelationships = shape.relationships.filter { !$0.isToMany }
    toManyRelationships = shape.relationships.filter(\.isToMany)
    denyingRelationships = shape.relationships.filter { $0.description.deleteRule == .deny }
    ownerSlots = shape.layout.referenceSlots.filter {
      if case .owner = shape.layout.slots[$0].role { true } else { false }
    }
    hasCascades = shape.relationships.contains { $0.description.deleteRule == .cascade }
    countedRelationships = toManyRelationships.filter(\.hasCountToKeep)
  }

  deinit { unsafe places.deallocate() }

  private static func place(of name: String, in shape: EntityShape) -> Int32 {
    guard let index = shape.index(of: name) else { return .min }
    switch shape.properties[index] {
    case .attribute(let attribute):
      guard let slot = attribute.slot, !shape.layout.isLarge(slot) else { return Int32(-1 - index) }
      return Int32(slot)
    case .relationship(let relationship):
      if case .reference(let slot, _) = relationship.storage { return Int32(slot) }
      return Int32(-1 - index)
    case .fetched: return Int32(-1 - index)
    }
  }

  private static func validatedAttributes(
    _ attributes: [AttributeShape], below path: [String] = []
  ) -> [(path: [String], attribute: AttributeShape)] {
    attributes.flatMap { attribute in
      let path = path + [attribute.name]
      let isChecked = attribute.slot != nil && !attribute.description.validation.isEmpty
      return (isChecked ? [(path, attribute)] : [])
        + validatedAttributes(attribute.elements, below: path)
    }
  }

  private static func freshDefaults(
    of type: ManagedObject.Type, _ shape: EntityShape, _ declared: Declarations
  ) -> [(attribute: AttributeShape, make: () -> Value)] {
    guard type != ManagedObject.self else { return [] }
    let declaration = declared[type]
    let own = declaration.properties.compactMap { property in
      guard let make = property.freshDefault, case .attribute(let attribute)? = shape[property.name]
      else { return nil as (attribute: AttributeShape, make: () -> Value)? }
      return (attribute, make)
    }
    return (declaration.superclass.map { freshDefaults(of: $0, shape, declared) } ?? []) + own
  }

  private static func requiredSlots(of shape: EntityShape) -> [Int] {
    var slots: [Int] = []
    func requireLeaves(_ attribute: AttributeShape) {
      guard !attribute.description.isOptional, !attribute.description.isTransient,
        !attribute.description.isDerived
      else { return }
      if let slot = attribute.slot { slots.append(slot) }
      attribute.elements.forEach(requireLeaves)
    }
    shape.attributes.forEach(requireLeaves)
    for relationship in shape.relationships where !relationship.description.isOptional {
      if case .reference(let slot, _) = relationship.storage { slots.append(slot) }
    }
    return slots.sorted()
  }

  private static func realSlots(of shape: EntityShape) -> [Int] {
    func leaves(_ attribute: AttributeShape) -> [Int] {
      guard !attribute.description.isTransient, !attribute.description.isDerived else { return [] }
      return [attribute.slot].compactMap(\.self) + attribute.elements.flatMap(leaves)
    }
    return shape.attributes.flatMap(leaves).filter { shape.layout.slots[$0].kind == .real }.sorted()
  }

  private static func bytes(in defaults: [Int: Cell]) -> [(slot: Int, bytes: [UInt8])] {
    defaults.compactMap { slot, cell in
      if case .bytes(let bytes) = cell { (slot, bytes) } else { nil }
    }
  }

  private static func defaults(
    of shape: EntityShape, leavingOut left: Set<String>
  ) -> [Int: Cell] {
    var cells: [Int: Cell] = [:]
    func add(_ attribute: AttributeShape) {
      attribute.elements.forEach(add)
      guard let slot = attribute.slot, !attribute.description.defaultValue.isNull else { return }
      cells[slot] = Cell(attribute.description.defaultValue, as: attribute.type)
    }
    for attribute in shape.attributes where !left.contains(attribute.name) { add(attribute) }
    return cells
  }
}
