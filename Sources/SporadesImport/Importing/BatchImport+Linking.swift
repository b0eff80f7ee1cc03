// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

// Relationships of records: keys of objects, and records inside the record.
extension BatchImport {
  /// Links an object as a field's value says. Returns whether a link changed.
  mutating func link(
    _ object: ManagedObject, _ relationship: RelationshipPlan, _ field: FieldPlan, _ node: Int
  ) throws(RowRefusal) -> Bool {
    let value = try transformed(node, field)
    do throws(RowRefusal) {
      return try link(object, relationship, value)
    } catch {
      throw located(error, node)
    }
  }

  private mutating func link(
    _ object: ManagedObject, _ relationship: RelationshipPlan, _ node: Int
  ) throws(RowRefusal) -> Bool {
    let name = relationship.shape.name
    let kind = batch.nodes[node].kind
    if kind == .null || kind == .blank {
      if settings.keepsNulls { return false }
      return relationship.shape.isToMany
        ? join([], object, relationship) : object.takeTarget(nil, of: relationship.shape)
    }
    guard relationship.shape.isToMany else {
      guard kind != .array else {
        throw RowRefusal(name, "an array stands where one object was expected.", node: node)
      }
      // A record without a key belongs to the object that the relationship has already.
      let present = relationship.lookup == nil ? object.object(forKey: name) : nil
      do throws(RowRefusal) {
        let target = try target(relationship, node, present)
        guard let member = target.object else { return target.hasChanged }
        return object.takeTarget(member, of: relationship.shape) || target.hasChanged
      } catch {
        throw error.inside(name)
      }
    }
    var members: [ManagedObject] = []
    var hasChanged = false
    let elements = kind == .array ? batch.elements(of: node) : [node]
    for (index, element) in elements.enumerated() {
      do throws(RowRefusal) {
        let target = try target(relationship, element, nil)
        if target.hasChanged { hasChanged = true }
        if let member = target.object { members.append(member) }
      } catch {
        throw error.inside("\(name)[\(index)]")
      }
    }
    return join(members, object, relationship) || hasChanged
  }

  private struct Target {
    /// The object; nil if the rule for missing objects leaves it out.
    let object: ManagedObject?
    /// The object was made, or changed by its record.
    let hasChanged: Bool
  }

  /// The object that a key or a record names.
  private mutating func target(
    _ relationship: RelationshipPlan, _ node: Int, _ present: ManagedObject?
  ) throws(RowRefusal) -> Target {
    guard batch.nodes[node].kind == .object else { return try target(relationship, key: node) }
    var fields: [Int32] = []
    fieldFinders[relationship.plan].append(fieldsOf: node, in: batch, to: &fields, counts: true)
    try checkKeys(ofPlan: relationship.plan, node)
    var known = present
    if let lookup = relationship.lookup {
      let key = try key(table.lookups[lookup], fields[...], node)
      let store = table.lookups[lookup].store
      if let key { try checkIsAlone(key, table.lookups[lookup], node) }
      known = key.flatMap { finders[store][$0] }
    }
    let filled = try fill(known, relationship.plan, node, fields[...])
    return Target(object: filled?.object ?? known, hasChanged: filled?.hasChanged ?? false)
  }

  private mutating func target(
    _ relationship: RelationshipPlan, key node: Int
  ) throws(RowRefusal) -> Target {
    guard let index = relationship.lookup else {
      throw RowRefusal(
        "",
        "\(table.plans[relationship.plan].shape.name) has no attribute that tells its objects apart. Name one with "
          + "related(_:by:), or write the object itself.", node: node)
    }
    let lookup = table.lookups[index]
    guard let key = try key(lookup, scalar: node, "") else {
      return Target(object: nil, hasChanged: false)
    }
    try checkIsAlone(key, lookup, node)
    if let known = finders[lookup.store][key] { return Target(object: known, hasChanged: false) }
    switch relationship.missing {
    case .ignore: return Target(object: nil, hasChanged: false)
    case .refuse:
      throw RowRefusal(
        "",
        "no \(lookup.entityName) has the \(lookup.names[0]) \(key.description). Import it before, or let the mapping make "
          + "it with related(_:missing: .make).", node: node)
    case .make:
      let made: ManagedObject
      do throws(ContextError) {
        made = try context.insert(entityNamed: lookup.entityName)
      } catch {
        throw RowRefusal("", "\(error)", node: node)
      }
      hasTouched = true
      touched.append(made)
      made.setValue(key.first, forKey: lookup.names[0])
      finders[lookup.store].note(made, key)
      return Target(object: made, hasChanged: true)
    }
  }

  /// Gives a to-many relationship its members. Returns whether they changed.
  private func join(
    _ members: [ManagedObject], _ object: ManagedObject, _ relationship: RelationshipPlan
  ) -> Bool {
    let name = relationship.shape.name
    let present = object.objects(forKey: name)
    var seen: Set<ObjectIdentifier> = []
    let members = members.filter { seen.insert(ObjectIdentifier($0)).inserted }
    let known = Set(present.map { ObjectIdentifier($0) })
    let leaving = present.filter { !seen.contains(ObjectIdentifier($0)) }
    let arriving = members.filter { !known.contains(ObjectIdentifier($0)) }
    switch relationship.toMany {
    case .add:
      for member in arriving { object.add(member, to: name) }
      return !arriving.isEmpty
    case .replace, .deleteMissing:
      let isReordered = relationship.shape.isOrdered && present != members
      guard !leaving.isEmpty || !arriving.isEmpty || isReordered else { return false }
      object.setObjects(members, forKey: name)
      if relationship.toMany == .deleteMissing {
        for member in leaving { context.delete(member) }
      }
      return true
    }
  }
}
