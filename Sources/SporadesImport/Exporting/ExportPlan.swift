// SPDX-License-Identifier: MIT
import SporadesModel

/// Which properties of an entity an export writes, under which keys.
struct ExportPlan: Sendable {
  /// The values of a row, in their order.
  let columns: [Column]
  /// The relationships whose objects are read together with the rows.
  let prefetched: [String]
  let omitted: [OmittedProperty]

  /// A class, because a reference is cheaper to pass on for each value than its parts.
  final class Column: Sendable {
    /// The key, without quotes.
    let key: String
    let content: Content

    init(key: String, content: Content) {
      self.key = key
      self.content = content
    }
  }

  enum Content: Sendable {
    case attribute(Leaf)
    /// The members of a composite attribute.
    case group([Column])
    /// The key of one object.
    case target(slot: Int, [Leaf])
    /// The keys of several objects.
    case targets(name: String, [Leaf])
  }

  /// An attribute, and how its values are written.
  final class Leaf: Sendable {
    let name: String
    let slot: Int
    let type: AttributeType
    let dates: DatePrinter
    /// The bytes are those of a `Codable` value, which are JSON.
    let isJSON: Bool

    init(name: String, slot: Int, type: AttributeType, dates: DatePrinter, isJSON: Bool) {
      self.name = name
      self.isJSON = isJSON
      self.slot = slot
      self.type = type
      self.dates = dates
    }
  }
}

/// Makes the plan of an export.
struct ExportPlanner {
  private let model: ManagedObjectModel
  private let rules: MappingRules
  private let isFlat: Bool
  private var prefetched: [String] = []
  private var omitted: [OmittedProperty] = []

  /// Makes the plan for objects of an entity. A flat form has no records inside records.
  static func plan(
    _ shape: EntityShape, _ model: ManagedObjectModel, _ rules: MappingRules, isFlat: Bool
  ) throws(ExportError) -> ExportPlan {
    if let mistake = rules.mistake(in: shape) { throw ExportError(.request, mistake) }
    var planner = ExportPlanner(model: model, rules: rules, isFlat: isFlat)
    var columns: [ExportPlan.Column] = []
    for property in shape.properties { columns += try planner.columns(of: property) }
    let names = Set(shape.attributes.flatMap { $0.leaves.map { $0.path.joined(separator: ".") } })
      .union(shape.relationships.map(\.name))
    if let name = Set(rules.fields.keys).union(rules.ignored).subtracting(names).min() {
      throw ExportError(
        .request, "The mapping of \(shape.name): \(shape.describeMissingProperty(name))")
    }
    var keys: Set<String> = []
    for column in columns where !keys.insert(column.key).inserted {
      throw ExportError(
        .request,
        "Two properties of \(shape.name) have the key \(column.key); give one of them another key.")
    }
    return ExportPlan(
      columns: columns, prefetched: planner.prefetched, omitted: planner.omitted)
  }

  private init(model: ManagedObjectModel, rules: MappingRules, isFlat: Bool) {
    self.model = model
    self.rules = rules
    self.isFlat = isFlat
  }

  private mutating func columns(
    of property: PropertyShape
  ) throws(ExportError) -> [ExportPlan.Column] {
    switch property {
    case .attribute(let attribute): return try columns(of: attribute, [])
    case .relationship(let relationship):
      guard takes(relationship.name), let content = try content(of: relationship) else { return [] }
      let key = key(of: relationship.name, relationship.description.userInfo)
      return [ExportPlan.Column(key: key, content: content)]
    case .fetched: return []
    }
  }

  private func columns(
    of attribute: AttributeShape, _ outer: [String]
  ) throws(ExportError) -> [ExportPlan.Column] {
    let path = outer + [attribute.name]
    if attribute.type == .composite {
      var members: [ExportPlan.Column] = []
      for element in attribute.elements { members += try columns(of: element, path) }
      guard !isFlat, !members.isEmpty else { return members }
      return [ExportPlan.Column(key: attribute.name, content: .group(members))]
    }
    let name = path.joined(separator: ".")
    guard takes(name), let leaf = try leaf(attribute, name) else { return [] }
    let usual = isFlat || outer.isEmpty ? name : attribute.name
    let key = key(of: name, attribute.description.userInfo, usual: usual)
    return [ExportPlan.Column(key: key, content: .attribute(leaf))]
  }

  /// The attribute if a store keeps it, and if it is not computed.
  private func leaf(
    _ attribute: AttributeShape, _ name: String
  ) throws(ExportError) -> ExportPlan.Leaf? {
    guard let slot = attribute.slot, !attribute.description.isDerived else { return nil }
    let notes = attribute.description.userInfo
    let format =
      rules.fields[name]?.dates ?? rules.dates
      ?? notes["dateFormat"].map { ImportDateFormat(note: $0) } ?? .iso8601
    do throws(CoercionRefusal) {
      return ExportPlan.Leaf(
        name: name, slot: slot, type: attribute.type, dates: try DatePrinter(format),
        isJSON: attribute.type == .transformable
          && [nil, "JSON"].contains(attribute.description.valueTransformerName))
    } catch {
      throw ExportError(.request, "\(name): \(error.reason)")
    }
  }

  private mutating func content(
    of relationship: RelationshipShape
  ) throws(ExportError) -> ExportPlan.Content? {
    // The other side tells the links of all other to-many relationships.
    let isTold = relationship.isToMany && !relationship.isOrdered
    var isOfOthers = false
    if case .inverseReference = relationship.storage {
      isOfOthers = isTold && relationship.inverseName != nil
    }
    guard relationship.isStored, !isOfOthers else { return nil }
    let destination = model.shape(numbered: relationship.destination)
    let leaves = try keyLeaves(of: relationship, destination)
    if let reason = reasonToOmit(relationship, destination, leaves) {
      omitted.append(OmittedProperty(name: relationship.name, reason: reason))
      return nil
    }
    prefetched.append(relationship.name)
    if case .reference(let slot, _) = relationship.storage { return .target(slot: slot, leaves) }
    return .targets(name: relationship.name, leaves)
  }

  /// The attributes by which the objects of a relationship are named; empty if there are none.
  private func keyLeaves(
    of relationship: RelationshipShape, _ destination: EntityShape
  ) throws(ExportError) -> [ExportPlan.Leaf] {
    let named = rules.fields[relationship.name]?.relatedBy ?? []
    let usual =
      relationship.description.userInfo["relatedByAttribute"].map { [$0] }
      ?? UniqueKey.names(of: destination, model) ?? []
    var leaves: [ExportPlan.Leaf] = []
    for name in named.isEmpty ? usual : named {
      if case .attribute(let attribute)? = destination[name],
        let leaf = try leaf(attribute, name)
      {
        leaves.append(leaf)
        continue
      }
      guard !named.isEmpty else { return [] }
      let reason =
        destination[name] == nil
        ? destination.describeMissingProperty(name) : "it is no stored attribute."
      throw ExportError(
        .request, "Objects of \(destination.name) can not be found by \(name): \(reason)")
    }
    return leaves
  }

  /// The sentence that says why a relationship is left out; nil if it is not.
  private func reasonToOmit(
    _ relationship: RelationshipShape, _ destination: EntityShape, _ leaves: [ExportPlan.Leaf]
  ) -> String? {
    if leaves.isEmpty {
      return
        "\(destination.name) has no attribute that tells its objects apart. Name one with related(_:by:)."
    }
    guard isFlat else { return nil }
    if relationship.isToMany {
      return "a field of CSV holds no list. Export JSON, or the other side."
    }
    return leaves.count > 1
      ? "\(leaves.map(\.name).joined(separator: " and ")) tell objects of \(destination.name) apart, and a field of CSV "
        + "holds one value. Export JSON, or name one attribute with related(_:by:)."
      : nil
  }

  private func takes(_ name: String) -> Bool {
    !rules.ignored.contains(name) && (!rules.isComplete || rules.fields[name] != nil)
  }

  /// The key of a property, as an import with the same mapping finds it.
  private func key(of name: String, _ notes: [String: String], usual: String? = nil) -> String {
    rules.fields[name]?.keys.first ?? notes["mappedKeyName"] ?? notes["mappedKeyName.0"]
      ?? notes["mappedKeyName.1"] ?? usual ?? name
  }
}
