// SPDX-License-Identifier: MIT
import SporadesModel

/// How records become objects of one entity.
///
/// Plans are classes: a batch goes through them for each value, and a reference is cheaper to pass on than their parts.
final class EntityPlan: Sendable {
  let shape: EntityShape
  let fields: [FieldPlan]
  /// The fields that are relationships, with their indices in ``fields``.
  let links: [(place: Int, relationship: RelationshipPlan)]
  /// The first keys of all fields' key paths.
  let keys: [[UInt8]]
  /// The index in ``keys``.
  let places: [[UInt8]: Int]
  /// The indices in ``keys`` of those that say something only as records with further keys, so not as columns.
  let onlyOuter: Set<Int>
  /// The indices of those whose records have the members of a composite.
  let composites: Set<Int>
  /// The index in ``PlanTable/lookups`` of the keys by which an object is found; nil if each record makes one.
  let lookup: Int?
  /// The names of properties that no record sets, because the mapping or the model says so.
  let leftOut: Set<String>

  /// Makes a plan. A key that no field has is unknown if `takes` accepts the name of its property.
  init(
    shape: EntityShape, fields: [FieldPlan], keys: KeyList = KeyList(), lookup: Int? = nil,
    takes: (String) -> Bool = { _ in false }
  ) {
    self.shape = shape
    self.fields = fields
    links = fields.enumerated().compactMap { place, field in
      guard case .relationship(let relationship) = field.target else { return nil }
      return (place, relationship)
    }
    self.keys = keys.all
    places = keys.places
    onlyOuter = keys.onlyOuter
    composites = keys.onlyComposites
    self.lookup = lookup
    let set = Set(fields.map { $0.path[0] })
    let computed = Set(shape.computedAttributes.map(\.name).filter(takes))
    let names = shape.properties.map(\.name).filter { !set.contains($0) && !computed.contains($0) }
    leftOut = Set(names + names.map(\.snakeCased))
  }
}

/// How one property is read.
final class FieldPlan: Sendable {
  /// The names of the property: one, or those of a member of a composite attribute.
  let path: [String]
  let sources: [Source]
  let target: Target
  let transform: (@Sendable (ImportValue) throws -> ImportValue)?
  /// A record without the key sets the default.
  let usesDefault: Bool
  /// The keys that the mapping names.
  let given: [String]

  /// The name for messages.
  var name: String { path.joined(separator: ".") }

  /// One of the keys from which a field takes its value.
  struct Source: Sendable {
    /// The index in ``EntityPlan/keys``.
    let key: Int
    /// The keys that lead on from there.
    let rest: [[UInt8]]
  }

  enum Target: Sendable {
    case attribute(AttributePlan)
    case relationship(RelationshipPlan)
  }

  init(
    path: [String], sources: [Source], target: Target,
    transform: (@Sendable (ImportValue) throws -> ImportValue)?, usesDefault: Bool, given: [String]
  ) {
    self.path = path
    self.sources = sources
    self.target = target
    self.transform = transform
    self.usesDefault = usesDefault
    self.given = given
  }
}

/// The attribute that a field sets.
final class AttributePlan: Sendable {
  let shape: AttributeShape
  let slot: Int
  let coercion: Coercion
  /// The default of the attribute, in the form of its cell.
  let defaultValue: CoercedValue
  /// A text without characters stands for nothing in CSV; a required attribute takes the empty text for it.
  let takesBlank: Bool

  init(
    shape: AttributeShape, slot: Int, coercion: Coercion, defaultValue: CoercedValue,
    takesBlank: Bool
  ) {
    self.shape = shape
    self.slot = slot
    self.coercion = coercion
    self.defaultValue = defaultValue
    self.takesBlank = takesBlank
  }
}

/// The relationship that a field sets.
final class RelationshipPlan: Sendable {
  let shape: RelationshipShape
  /// The index in ``PlanTable/plans`` of the destination.
  let plan: Int
  /// The index in ``PlanTable/lookups`` of the keys by which the destination is found; nil if it has none.
  let lookup: Int?
  let toMany: ToManyRule
  let missing: MissingTargetRule

  init(
    shape: RelationshipShape, plan: Int, lookup: Int?, toMany: ToManyRule,
    missing: MissingTargetRule
  ) {
    self.shape = shape
    self.plan = plan
    self.lookup = lookup
    self.toMany = toMany
    self.missing = missing
  }
}

/// Attributes by whose values objects of an entity are found.
final class Lookup: Sendable {
  /// The number of the entity.
  let entity: Int
  let entityName: String
  /// The names of the attributes.
  let names: [String]
  /// The attributes with the way in which their values are read.
  let attributes: [AttributePlan]
  /// The index in ``PlanTable/plans`` of the entity's records.
  let plan: Int
  /// The indices of the attributes in the fields of that plan; nil for one that no field sets.
  let fields: [Int?]
  /// The number that all lookups by the same attributes of the entity share.
  let store: Int

  init(
    entity: Int, entityName: String, names: [String], attributes: [AttributePlan], plan: Int,
    fields: [Int?], store: Int
  ) {
    self.entity = entity
    self.entityName = entityName
    self.names = names
    self.attributes = attributes
    self.plan = plan
    self.fields = fields
    self.store = store
  }
}

/// All plans of one import: that of its own entity, which is the first, and those of related ones.
struct PlanTable: Sendable {
  var plans: [EntityPlan] = []
  var lookups: [Lookup] = []

  /// The number for lookups by the attributes of an entity.
  func store(of shape: EntityShape, _ names: [String]) -> Int {
    let same = lookups.first { $0.entity == shape.number && $0.names == names }
    return same?.store ?? (lookups.map(\.store).max() ?? -1) + 1
  }
}
