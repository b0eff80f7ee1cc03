// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Relationships are loaded for many objects at once here, and for one object through the same code.
extension ManagedObjectContext {
  /// Reads what the key paths lead to, one request a step, so that going there later costs nothing.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject]) throws {
    for keyPath in keyPaths {
      var step = objects
      for name in keyPath.split(separator: ".").map(String.init) {
        step = try prefetch(name, of: step)
      }
    }
  }

  private func prefetch(_ name: String, of objects: [ManagedObject]) throws -> [ManagedObject] {
    guard let first = objects.first else { return [] }
    guard case .relationship(let relationship)? = first.home.shape[name] else {
      throw FetchPredicateError(
        .unknownKeyPath, "\(first.home.shape.name) has no relationship \(name) to prefetch.")
    }
    if case .reference(let slot, _) = relationship.storage {
      let related = objects.compactMap { $0.related(slot) }
      try fulfil(related)
      return related
    }
    let open = objects.filter { !$0.toMany(relationship).isLoaded }
    try load(relationship, for: open)
    return objects.flatMap { $0.members(relationship) }
  }

  /// Loads the members of one object's relationship; a failure is kept for the end of the block.
  func load(_ links: ToMany, of relationship: RelationshipShape, for object: ManagedObject) {
    do {
      try load(relationship, for: [object])
    } catch {
      report(.unloaded(object.objectID, relationship: relationship.name, error))
    }
  }

  func load(
    _ relationship: RelationshipShape, for objects: [ManagedObject]
  ) throws(StoreError) {
    guard !objects.isEmpty else { return }
    let stored = objects.filter { !$0.key.isTemporary }
    switch relationship.storage {
    case .reference: break
    case .inverseReference(let slot, let position):
      let pages = try source.rows(
        of: model.shape(numbered: relationship.destination), referencing: stored.map(\.key),
        in: slot, position: position)
      give(relationship, to: objects, members: grouped(pages, slot))
    case .join:
      let links = try source.links(of: relationship, owners: stored.map(\.key))
      var groups: [Int64: [ManagedObject]] = [:]
      for link in links {
        groups[link.owner.primaryKey, default: []].append(object(forKey: link.other))
      }
      try fulfil(links.map { object(forKey: $0.other) })
      give(relationship, to: objects, members: groups)
    }
  }

  private func give(
    _ relationship: RelationshipShape, to objects: [ManagedObject],
    members: [Int64: [ManagedObject]]
  ) {
    for object in objects {
      object.toMany(relationship).load(members[object.key.primaryKey] ?? [])
    }
  }

  /// The objects of the pages by the primary key their rows hold in `slot`; rows of one owner
  /// follow each other.
  private func grouped(_ pages: [RowPage], _ slot: Int) -> [Int64: [ManagedObject]] {
    expect(pages)
    var groups: [Int64: [ManagedObject]] = [:]
    var owner: Int64 = 0
    var group: [ManagedObject] = []
    for page in pages {
      let place = page.layout.firstSlotWord + slot
      for index in 0..<page.count {
        let current = unsafe RowKey(rawValue: page.row(index)[place]).primaryKey
        if current != owner {
          if !group.isEmpty { groups[owner, default: []] += group }
          owner = current
          group = []
        }
        let member = object(showing: page, index)
        if isStillMember(member, slot, owner) { group.append(member) }
      }
    }
    if !group.isEmpty { groups[owner, default: []] += group }
    return groups
  }

  /// An object changed or deleted here may have left the owner that the store knows.
  private func isStillMember(_ object: ManagedObject, _ slot: Int, _ owner: Int64) -> Bool {
    guard object.hasChanges else { return true }
    return !object.isDeleted && object.reference(slot)?.primaryKey == owner
  }
}
