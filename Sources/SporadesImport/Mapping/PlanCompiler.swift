// SPDX-License-Identifier: MIT
import SporadesModel

/// Makes the plans of an import out of the model, its notes and the mapping.
struct PlanCompiler {
  private let model: ManagedObjectModel
  private var table = PlanTable()
  /// The plans with the usual rules, by number of the entity.
  private var usual: [Int: Int] = [:]
  /// Lookups that wait for the fields of their plan.
  private var waiting: [(index: Int, shape: EntityShape, names: [String], plan: Int)] = []
  private var known: [LookupKey: Int] = [:]

  private struct LookupKey: Hashable {
    let plan: Int
    let names: [String]
  }

  private init(_ model: ManagedObjectModel) { self.model = model }

  /// Makes the plans for records of an entity. With `uniquedBy`, these attributes find its objects.
  static func compile(
    _ shape: EntityShape, _ model: ManagedObjectModel, _ rules: MappingRules, uniquedBy: [String]?
  ) throws(ImportError) -> PlanTable {
    guard !shape.isAbstract else {
      throw ImportError(
        .request, "\(shape.name) is abstract and has no objects; import one of its subentities.")
    }
    if uniquedBy == nil, let name = UniqueKey.note(of: shape), shape[name] == nil {
      throw ImportError(
        .request,
        "The note relatedByAttribute of \(shape.name): \(shape.describeMissingProperty(name))")
    }
    var compiler = PlanCompiler(model)
    _ = try compiler.plan(shape, rules, uniquedBy: uniquedBy, isUsual: true)
    try compiler.finishLookups()
    return compiler.table
  }

  /// Makes the plan of an entity, and returns its index.
  private mutating func plan(
    _ shape: EntityShape, _ rules: MappingRules, uniquedBy: [String]?, isUsual: Bool
  ) throws(ImportError) -> Int {
    if let mistake = rules.mistake(in: shape) { throw ImportError(.request, mistake) }
    let index = table.plans.count
    if isUsual { usual[shape.number] = index }
    // The place is taken before the fields are made, because relationships may lead back here.
    table.plans.append(
      EntityPlan(shape: shape, fields: []))
    let names = uniquedBy ?? UniqueKey.names(of: shape, model)
    let lookup = names.flatMap { $0.isEmpty ? nil : self.lookup(shape, $0, plan: index) }
    var keys = KeyList()
    let fields = try self.fields(of: shape, rules, &keys)
    table.plans[index] = EntityPlan(
      shape: shape, fields: fields, keys: keys, lookup: lookup, takes: rules.takes)
    return index
  }

  // MARK: - Fields

  private mutating func fields(
    of shape: EntityShape, _ rules: MappingRules, _ keys: inout KeyList
  ) throws(ImportError) -> [FieldPlan] {
    var names = Set(rules.fields.keys).union(rules.ignored)
    var fields: [FieldPlan] = []
    for property in shape.properties {
      switch property {
      case .attribute(let attribute):
        if attribute.type == .composite, rules.ignored.contains(attribute.name) {
          names.remove(attribute.name)
        }
        for (path, leaf) in attribute.leaves {
          let name = path.joined(separator: ".")
          let isNamed = names.remove(name) != nil
          guard rules.takes(name), leaf.slot != nil, !leaf.description.isDerived else {
            if isNamed, rules.takes(name) { throw Self.unsettable(shape, leaf) }
            continue
          }
          fields.append(try field(path, leaf, rules, shape, &keys))
        }
      case .relationship(let relationship):
        names.remove(relationship.name)
        guard rules.takes(relationship.name) else { continue }
        fields.append(try field(relationship, rules, &keys))
      case .fetched: continue
      }
    }
    if let name = names.sorted().first {
      throw ImportError(
        .request, "The mapping of \(shape.name): \(shape.describeMissingProperty(name))")
    }
    return fields
  }

  private func field(
    _ path: [String], _ attribute: AttributeShape, _ rules: MappingRules, _ entity: EntityShape,
    _ keys: inout KeyList
  ) throws(ImportError) -> FieldPlan {
    let rule = rules.fields[path.joined(separator: ".")] ?? FieldRule()
    let notes = attribute.description.userInfo
    // An export writes nothing for the members of a composite that is nil.
    let isOfNil = path.count > 1 && entity[path[0]]?.isOptionalComposite == true
    let plan = try attributePlan(
      attribute,
      rule.dates ?? rules.dates ?? attribute.notedDates,
      entity, takesBlank: !isOfNil)
    return FieldPlan(
      path: path, sources: keys.sources(rule.keys, notes, path), target: .attribute(plan),
      transform: rule.transform,
      usesDefault: Self.isTrue(notes["useDefaultValueWhenNotPresent"]), given: rule.keys)
  }

  private func attributePlan(
    _ attribute: AttributeShape, _ dates: ImportDateFormat?, _ entity: EntityShape,
    takesBlank: Bool
  ) throws(ImportError) -> AttributePlan {
    do throws(CoercionRefusal) {
      let coercion = try Coercion(attribute.type, dates ?? .iso8601)
      return AttributePlan(
        shape: attribute, slot: attribute.slot ?? -1, coercion: coercion,
        defaultValue: try coercion.coerce(ImportValue(attribute.description.defaultValue)),
        takesBlank: takesBlank && attribute.type == .string && !attribute.description.isOptional)
    } catch {
      throw ImportError(.request, "\(entity.name).\(attribute.name): \(error.reason)")
    }
  }

  private mutating func field(
    _ relationship: RelationshipShape, _ rules: MappingRules, _ keys: inout KeyList
  ) throws(ImportError) -> FieldPlan {
    let rule = rules.fields[relationship.name] ?? FieldRule()
    let notes = relationship.description.userInfo
    let destination = try relationship.importedEntity(in: model)
    let plan: Int
    if let nested = rule.nested {
      plan = try self.plan(destination, nested, uniquedBy: nil, isUsual: false)
    } else if let known = usual[destination.number] {
      plan = known
    } else {
      plan = try self.plan(destination, MappingRules(), uniquedBy: nil, isUsual: true)
    }
    var names = rule.relatedBy.isEmpty ? nil : rule.relatedBy
    names = names ?? notes["relatedByAttribute"].map { [$0] }
    names = names ?? UniqueKey.names(of: destination, model)
    return FieldPlan(
      path: [relationship.name], sources: keys.sources(rule.keys, notes, [relationship.name]),
      target: .relationship(
        RelationshipPlan(
          shape: relationship, plan: plan,
          lookup: names.map { lookup(destination, $0, plan: plan) },
          toMany: rule.toMany ?? .replace, missing: rule.missing ?? .refuse)),
      transform: rule.transform, usesDefault: false, given: rule.keys)
  }

  private static func unsettable(_ shape: EntityShape, _ attribute: AttributeShape) -> ImportError {
    ImportError(
      .request,
      "The mapping names \(shape.name).\(attribute.name), which is "
        + "\(attribute.whyUnsettable). Leave it out.")
  }

  private static func isTrue(_ note: String?) -> Bool {
    ["true", "yes", "1"].contains(note?.lowercased())
  }

  // MARK: - Keys of objects

  private mutating func lookup(_ shape: EntityShape, _ names: [String], plan: Int) -> Int {
    let key = LookupKey(plan: plan, names: names)
    if let index = known[key] { return index }
    let index = table.lookups.count
    known[key] = index
    table.lookups.append(
      Lookup(
        entity: shape.number, entityName: shape.name, names: names, attributes: [], plan: plan,
        fields: [], store: table.store(of: shape, names)))
    waiting.append((index, shape, names, plan))
    return index
  }

  private mutating func finishLookups() throws(ImportError) {
    for (index, shape, names, plan) in waiting {
      let fields = table.plans[plan].fields
      var attributes: [AttributePlan] = []
      var places: [Int?] = []
      for name in names {
        guard case .attribute(let attribute)? = shape[name] else {
          throw ImportError(
            .request,
            "Objects of \(shape.name) can not be found by \(name): "
              + (shape[name] == nil
                ? shape.describeMissingProperty(name)
                : "it is no attribute. Name an attribute that tells the objects apart.")
          )
        }
        guard attribute.slot != nil else { throw Self.unsettable(shape, attribute) }
        let place = fields.firstIndex { $0.path == [name] }
        if let place, case .attribute(let known) = fields[place].target {
          attributes.append(known)
        } else {
          attributes.append(
            try attributePlan(attribute, attribute.notedDates, shape, takesBlank: true))
        }
        places.append(place)
      }
      table.lookups[index] = Lookup(
        entity: shape.number, entityName: shape.name, names: names, attributes: attributes,
        plan: plan, fields: places, store: table.lookups[index].store)
    }
  }
}

extension MappingRules {
  /// Whether the mapping sets a property. A composite that it ignores has no member that it sets.
  func takes(_ name: String) -> Bool {
    if ignored.isEmpty, !isComplete { return true }
    let isIgnored = ignored.contains { name == $0 || name.hasPrefix($0 + ".") }
    return !isIgnored && (!isComplete || fields[name] != nil)
  }
}

extension EntityShape {
  /// The attributes that no record sets, because a store computes them or keeps no value of theirs.
  var computedAttributes: [AttributeShape] {
    attributes.filter { $0.description.isDerived || $0.slot == nil && $0.type != .composite }
  }
}

extension RelationshipShape {
  /// The entity whose objects the relationship's records become.
  func importedEntity(in model: ManagedObjectModel) throws(ImportError) -> EntityShape {
    let usual = model.shape(numbered: destination)
    guard let name = description.userInfo["type"] else { return usual }
    guard let shape = model.shape(named: name), destinationFamily.contains(shape.number) else {
      throw ImportError(
        .request,
        "The note `type` of \(self.name) names \(name), which is no subentity of \(usual.name).")
    }
    return shape
  }
}

extension AttributeShape {
  /// The format of dates that a note in the model names.
  var notedDates: ImportDateFormat? {
    description.userInfo["dateFormat"].map { ImportDateFormat(note: $0) }
  }

  /// The words for the reason why no record sets the attribute.
  var whyUnsettable: String {
    description.isDerived
      ? "derived, so the store computes it" : "transient, so no store keeps it"
  }
}

extension PropertyShape {
  fileprivate var isOptionalComposite: Bool {
    if case .attribute(let attribute) = self { attribute.description.isOptional } else { false }
  }
}
