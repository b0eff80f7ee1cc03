// SPDX-License-Identifier: MIT
import SporadesModel

/// Makes the plan of an export: of the properties and keys by which an import with the same mapping makes the same
/// objects.
struct ExportPlanner {
  let shape: EntityShape
  let model: ManagedObjectModel
  let rules: MappingRules
  /// A flat form has no records inside records.
  let isFlat: Bool
  var prefetched: [String] = []
  var omitted: [OmittedProperty] = []
  /// The members of composites that have keys of their own, which an import looks for beside the composite.
  private var raised: [ExportPlan.Column] = []
  /// The columns of the properties, by name.
  private(set) var written: [String: ExportPlan.Column] = [:]

  /// Makes the plan for objects of an entity.
  static func plan(
    _ shape: EntityShape, _ model: ManagedObjectModel, _ rules: MappingRules, isFlat: Bool
  ) throws(ExportError) -> ExportPlan {
    if let mistake = rules.mistake(in: shape) { throw ExportError(.request, mistake) }
    var planner = ExportPlanner(shape: shape, model: model, rules: rules, isFlat: isFlat)
    var columns: [ExportPlan.Column] = []
    for property in shape.properties { columns += try planner.columns(of: property) }
    columns += planner.raised
    try planner.check(columns)
    return ExportPlan(
      columns: columns, prefetched: planner.prefetched, omitted: planner.omitted)
  }

  private mutating func columns(
    of property: PropertyShape
  ) throws(ExportError) -> [ExportPlan.Column] {
    switch property {
    case .attribute(let attribute): return try columns(of: attribute, [])
    case .relationship(let relationship):
      guard rules.takes(relationship.name), let content = try content(of: relationship) else {
        return []
      }
      let key = rules.key(of: relationship.name, relationship.description.userInfo)
      let column = ExportPlan.Column(key: key ?? relationship.name, content: content)
      written[relationship.name] = column
      return [column]
    case .fetched: return []
    }
  }

  private mutating func columns(
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
    guard rules.takes(name), let leaf = try leaf(attribute, name, of: shape, rules) else {
      return []
    }
    let named = rules.key(of: name, attribute.description.userInfo)
    let usual = isFlat || outer.isEmpty ? name : attribute.name
    let column = ExportPlan.Column(key: named ?? usual, content: .attribute(leaf))
    written[name] = column
    guard named == nil || outer.isEmpty else {
      raised.append(column)
      return []
    }
    return [column]
  }

  /// An attribute with the rules for its entity; nil if no store keeps it, or if it is computed.
  func leaf(
    _ attribute: AttributeShape, _ name: String, of entity: EntityShape, _ rules: MappingRules,
    isKey: Bool = false
  ) throws(ExportError) -> ExportPlan.Leaf? {
    guard let slot = attribute.slot, !attribute.description.isDerived else { return nil }
    // An import reads a key that the mapping does not take by the note in the model.
    let rule = rules.takes(name) ? rules.fields[name] : nil
    let dates = rule?.dates ?? (rules.takes(name) ? rules.dates : nil) ?? attribute.notedDates
    let title = "\(entity.name).\(name)"
    do throws(CoercionRefusal) {
      return ExportPlan.Leaf(
        name: name, key: rules.key(of: name, attribute.description.userInfo) ?? name, title: title,
        slot: slot, coercion: try Coercion(attribute.type, dates ?? .iso8601),
        isJSON: attribute.type == .transformable
          && [nil, "JSON"].contains(attribute.description.valueTransformerName),
        wayBack: isKey ? nil : try rule?.wayBack)
    } catch {
      throw ExportError(.request, "\(title): \(error.reason)")
    }
  }
}

extension MappingRules {
  /// The key that an import looks for first; nil for the usual one.
  func key(of name: String, _ notes: [String: String]) -> String? {
    KeyList.named(fields[name]?.keys ?? [], notes).first
  }
}

extension FieldRule {
  /// The closures of the mapping; nil if it has none. It throws if there is no way back.
  var wayBack: ExportPlan.WayBack? {
    get throws(CoercionRefusal) {
      guard let transform else { return nil }
      guard let inverse else {
        throw CoercionRefusal(
          "an import makes the value with a closure, and the mapping does not say how an export undoes that. Give "
            + "key(_:to:) a second closure, `writing:`, or leave the property out with ignoring(_:)."
        )
      }
      return ExportPlan.WayBack(transform: transform, inverse: inverse)
    }
  }
}
