// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

// The keys by which a batch finds objects.
extension BatchImport {
  /// The key of a record; nil if a value of it is missing or null.
  func key(
    _ lookup: Lookup, _ fields: ArraySlice<Int32>, _ object: Int
  ) throws(RowRefusal) -> ObjectKey? {
    if lookup.attributes.count == 1 {
      guard let value = try value(lookup, 0, fields), !value.isNull else { return nil }
      return ObjectKey(value)
    }
    var values: [Value] = []
    for index in lookup.attributes.indices {
      guard let value = try value(lookup, index, fields), !value.isNull else { return nil }
      values.append(value)
    }
    return ObjectKey(values)
  }

  /// Throws if several objects of the store have the key of a record: none of them is taken by chance.
  func checkIsAlone(_ number: Int, _ lookup: Lookup) throws(RowRefusal) {
    guard let count = finders[lookup.store].count(sharing: number) else { return }
    throw RowRefusal(
      lookup.names.joined(separator: ", "),
      "\(count) objects of \(lookup.entityName) have this value, so the record does not say which it is. Name attributes "
        + "in uniquedBy that tell them apart, or make them one object.")
  }

  /// Throws if several objects of the store have the key that a relationship names.
  func checkIsAlone(_ key: ObjectKey, _ lookup: Lookup, _ node: Int) throws(RowRefusal) {
    guard let count = finders[lookup.store].count(sharing: key) else { return }
    throw RowRefusal(
      "",
      "\(count) objects of \(lookup.entityName) have the \(lookup.names.joined(separator: " and ")) \(key.description), so "
        + "the key does not say which it is. Name attributes in related(_:by:) that tell them apart.",
      node: node)
  }

  /// One value of a key; nil if the record does not have it.
  private func value(
    _ lookup: Lookup, _ index: Int, _ fields: ArraySlice<Int32>
  ) throws(RowRefusal) -> Value? {
    guard let field = lookup.fields[index] else { return nil }
    let node = fields[fields.startIndex + field]
    guard node >= 0 else { return nil }
    let attribute = lookup.attributes[index]
    let plan = table.plans[lookup.plan]
    let coerced = try coerce(Int(node), attribute, plan.fields[field], ofPlan: plan)
    return coerced.value(of: attribute.shape.type, in: batch)
  }

  /// The key that a single value is; nil for a null.
  func key(
    _ lookup: Lookup, scalar node: Int, _ name: String
  ) throws(RowRefusal) -> ObjectKey? {
    guard lookup.attributes.count == 1, let attribute = lookup.attributes.first else {
      throw RowRefusal(
        name,
        "objects of \(lookup.entityName) are found by \(lookup.names.joined(separator: " and ")), which a single value can "
          + "not name; write an object with these keys.", node: node)
    }
    do throws(CoercionRefusal) {
      let value = try attribute.coercion.coerce(batch.nodes[node], in: batch)
        .value(of: attribute.shape.type, in: batch)
      return value.isNull ? nil : ObjectKey(value)
    } catch {
      throw RowRefusal(name, error.reason, node: node)
    }
  }

  /// Asks for the objects that a record's relationships name. Mistakes are reported when the row is applied.
  mutating func wantLinks(ofPlan index: Int, _ fields: ArraySlice<Int32>) {
    let plan = table.plans[index]
    for (place, relationship) in plan.links {
      let node = Int(fields[fields.startIndex + place])
      guard node >= 0 else { continue }
      if relationship.shape.isToMany, let lookup = plan.lookup {
        finders[table.lookups[lookup].store].prefetch(relationship.shape.name)
      }
      // `try?`, because the row refuses the same value again when it is applied, with its place.
      if let node = try? transformed(node, plan.fields[place]) { want(relationship, node) }
    }
  }

  private mutating func want(_ relationship: RelationshipPlan, _ node: Int) {
    switch batch.nodes[node].kind {
    case .null, .blank: return
    case .array:
      for element in batch.elements(of: node) { wantOne(relationship, element) }
    case .given:
      // because such values are made of the program's own, they hold neither lists nor records
      wantOne(relationship, node)
    default: wantOne(relationship, node)
    }
  }

  private mutating func wantOne(_ relationship: RelationshipPlan, _ node: Int) {
    guard batch.nodes[node].kind == .object else {
      guard let lookup = relationship.lookup.map({ table.lookups[$0] }) else { return }
      // `try?`, because the row refuses the same value again when it is applied, with its place.
      if let key = try? key(lookup, scalar: node, "") { _ = finders[lookup.store].want(key) }
      return
    }
    var fields: [Int32] = []
    fieldFinders[relationship.plan].append(fieldsOf: node, in: batch, to: &fields)
    if let lookup = relationship.lookup.map({ table.lookups[$0] }),
      // `try?` for the same reason
      let key = try? key(lookup, fields[...], node)
    {
      _ = finders[lookup.store].want(key)
    }
    wantLinks(ofPlan: relationship.plan, fields[...])
  }
}
