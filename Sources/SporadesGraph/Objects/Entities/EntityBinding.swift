// SPDX-License-Identifier: MIT
import SporadesModel

/// An entity of a stack and the class its objects have: compiled once per stack, shared by all its
/// contexts.
///
/// The class names its properties by their place in its declaration; the binding turns places into
/// slots, so that the same class can serve several models.
@safe
final class EntityBinding: @unchecked Sendable {
  // @unchecked: all memory is written in `init` and never again.
  let shape: EntityShape
  let type: ManagedObject.Type
  /// By place in the class's declaration: the slot's number for what lies in the row, and
  /// −1 − index in `shape.properties` for everything else, values that may lie in files included.
  let places: UnsafeMutablePointer<Int32>
  /// By place in the class's declaration: the relationship, where it is one.
  let relationships: [RelationshipShape?]
  /// The slots of a new object, as ``RowLayout/openRow(with:)`` made them.
  let newRow: [UInt8]
  /// What a new object holds in slots that are not null.
  let defaults: [Int: Cell]
  /// Defaults that lie in the byte region.
  let defaultBytes: [(slot: Int, bytes: [UInt8])]
  /// Slots that must hold a value when an object is saved.
  let requiredSlots: [Int]
  /// Attributes with bounds of their own, members of composites among them, and where they are.
  let validatedAttributes: [(path: [String], attribute: AttributeShape)]
  /// Tell which values are those of a case, by the names that lead to an enum.
  let enumChecks: [[String]: (Value) -> Bool]
  /// The properties whose values the class checks itself.
  let validatedProperties: [String]
  /// Required to-one relationships are among the slots; these are the others with counts to keep.
  let countedRelationships: [RelationshipShape]
  let toOneRelationships: [RelationshipShape]
  let toManyRelationships: [RelationshipShape]
  /// Relationships that forbid deleting the object while they lead somewhere.
  let denyingRelationships: [RelationshipShape]
  /// Deleting an object deletes others.
  let hasCascades: Bool

  init(shape: EntityShape, type: ManagedObject.Type) {
    self.shape = shape
    self.type = type
    let names = type == ManagedObject.self ? [] : type.declaration.allPropertyNames
    unsafe places = .allocate(capacity: max(1, names.count))
    for (place, name) in names.enumerated() {
      unsafe (places + place).initialize(to: Self.place(of: name, in: shape))
    }
    relationships = names.map { name in
      if case .relationship(let relationship)? = shape[name] { relationship } else { nil }
    }
    let defaults = Self.defaults(of: shape)
    self.defaults = defaults
    newRow = shape.layout.openRow(
      with: defaults.compactMapValues { if case .word(let word) = $0 { word } else { nil } })
    defaultBytes = defaults.compactMap { slot, cell in
      if case .bytes(let bytes) = cell { (slot, bytes) } else { nil }
    }
    requiredSlots = Self.requiredSlots(of: shape)
    validatedAttributes = Self.validatedAttributes(shape.attributes)
    enumChecks = type == ManagedObject.self ? [:] : type.declaration.enumChecks
    validatedProperties = type.validatedProperties
    toOneRelationships = shape.relationships.filter { !$0.isToMany }
    toManyRelationships = shape.relationships.filter(\.isToMany)
    denyingRelationships = shape.relationships.filter { $0.description.deleteRule == .deny }
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

  private static func defaults(of shape: EntityShape) -> [Int: Cell] {
    var cells: [Int: Cell] = [:]
    func add(_ attribute: AttributeShape) {
      attribute.elements.forEach(add)
      guard let slot = attribute.slot, !attribute.description.defaultValue.isNull else { return }
      cells[slot] = Cell(attribute.description.defaultValue, as: attribute.type)
    }
    shape.attributes.forEach(add)
    return cells
  }
}
