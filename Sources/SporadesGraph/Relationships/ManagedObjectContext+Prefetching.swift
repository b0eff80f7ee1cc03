// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Loading of relationships, for many objects in one request.
extension ManagedObjectContext {
  /// Reads the objects that the key paths lead to, with one request for each step. Later access
  /// finds them in memory.
  package func prefetch(_ keyPaths: [String], of objects: [ManagedObject]) throws {
    for keyPath in keyPaths {
      var step = objects
      let names = keyPath.propertyNames
      for (place, name) in names.enumerated() {
        if place > 0 { step = try related(names[place - 1], of: step) }
        try prefetch(name, of: step)
      }
    }
  }

  private func prefetch(_ name: String, of objects: [ManagedObject]) throws {
    guard let relationship = try relationship(name, of: objects) else { return }
    if case .reference(let slot, _) = relationship.storage {
      try fulfil(objects.compactMap { $0.related(slot) })
    } else {
      try load(relationship, for: objects.filter { !$0.toMany(relationship).isLoaded })
    }
  }

  /// The objects that a prefetched relationship leads to.
  private func related(_ name: String, of objects: [ManagedObject]) throws -> [ManagedObject] {
    guard let relationship = try relationship(name, of: objects) else { return [] }
    return objects.flatMap { $0.objects(of: relationship) }
  }

  private func relationship(
    _ name: String, of objects: [ManagedObject]
  ) throws -> RelationshipShape? {
    guard let first = objects.first else { return nil }
    guard case .relationship(let relationship)? = first.home.shape[name] else {
      throw FetchPredicateError(
        .unknownKeyPath, "\(first.home.shape.name) has no relationship \(name) to prefetch.")
    }
    guard relationship.isStored else {
      throw FetchPredicateError(
        .notStored,
        "\(first.home.shape.name).\(name) is a transient relationship, which no store keeps. Remove "
          + "it from the key paths to prefetch.")
    }
    return relationship
  }

  /// Loads the members of one object's relationship. If that fails, the context reports it.
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
    case .reference, .memory: break
    case .inverseReference(let slot, let position):
      let pages = try source.rows(
        of: model.shape(numbered: relationship.destination), referencing: stored.map(\.key),
        in: slot, position: position)
      setMembers(relationship, of: objects, grouped(pages, relationship, slot, objects))
    case .join:
      let links = try source.links(of: relationship, owners: stored.map(\.key))
      let members = links.map { object(forKey: $0.other) }
      try fulfil(members)
      var groups = OwnerGroups<ManagedObject>(objects)
      for (link, member) in zip(links, members) {
        let owner = link.owner.identity
        if isStillMember(member, relationship, of: owner) { groups.add(member, to: owner) }
      }
      setMembers(relationship, of: objects, groups.members)
      if relationship.isOrdered { notePositions(relationship, links) }
    }
  }

  private func setMembers(
    _ relationship: RelationshipShape, of objects: [ManagedObject], _ groups: [[ManagedObject]]
  ) {
    for (place, object) in objects.enumerated() {
      let links = object.toMany(relationship)
      links.load(groups[place])
      // because a child may have set positions that are not saved, the order follows the rows in
      // memory
      if hasChanges, !links.isReordered { links.sort() }
    }
  }

  private func notePositions(_ relationship: RelationshipShape, _ links: [StoredLink]) {
    for (owner, links) in Dictionary(grouping: links, by: \.owner) {
      registered(owner)?.knownToMany(relationship).map { notePositions(links, in: $0) }
    }
  }

  /// Keeps the stored positions. If the members have none, the positions stay unknown.
  private func notePositions(_ stored: [StoredLink], in links: ToMany) {
    var places: [RowKey: Int64] = [:]
    for link in stored {
      guard let member = registered(link.other), let place = link.position else { continue }
      places[member.key] = place
    }
    links.positions = stored.isEmpty || !places.isEmpty ? places : nil
  }

  /// Loads the members of one object's relationship by key. Members that are not in memory stay
  /// faults.
  func loadIDs(
    _ relationship: RelationshipShape, of owner: ManagedObject
  ) throws(StoreError) {
    let links = owner.toMany(relationship)
    let stored =
      owner.key.isTemporary ? [] : try source.links(of: relationship, owners: [owner.key])
    links.load(
      stored.map { object(forKey: $0.other) }
        .filter { isStillMember($0, relationship, of: owner.key.identity) })
    if relationship.isOrdered { notePositions(stored, in: links) }
    // because a child may have set positions that are not saved, the order follows the rows in
    // memory
    if hasChanges, !links.isReordered { links.sort() }
  }

  /// The objects of the pages, grouped by the owner that their rows name in `slot`.
  private func grouped(
    _ pages: [RowPage], _ relationship: RelationshipShape, _ slot: Int, _ owners: [ManagedObject]
  ) -> [[ManagedObject]] {
    reserveSpace(for: pages)
    // The rows are grouped before any object is made. Objects made owner by owner lie in memory in
    // the order of their use.
    var groups = OwnerGroups<FoundRow>(owners)
    for (place, page) in pages.enumerated() {
      let slots = unsafe page.layout.places
      for index in 0..<page.count {
        let row = unsafe page.row(index)
        let owner = unsafe RowKey(rawValue: row.word(slot, slots)).identity
        groups.add(FoundRow(key: unsafe row.key, page: place, index: index), to: owner)
      }
    }
    return zip(groups.members, owners).map { rows, owner in
      let identity = owner.key.identity
      return rows.map { object($0.key, showing: pages[$0.page], $0.index) }
        .filter { isStillMember($0, relationship, of: identity) }
    }
  }

  private struct FoundRow {
    let key: RowKey
    let page: Int
    let index: Int
  }

  /// Whether a stored member is still one in this context. A change or deletion here may have
  /// removed it.
  func isStillMember(
    _ object: ManagedObject, _ relationship: RelationshipShape, of owner: UInt64
  ) -> Bool {
    guard !object.isDeleted, !object.state.contains(.gone) else { return false }
    guard object.isRowChanged, case .inverseReference(let slot, _) = relationship.storage else {
      return true
    }
    return object.reference(slot)?.identity == owner
  }
}

/// Groups members by their owners. The members come in any order.
private struct OwnerGroups<Member> {
  private(set) var members: [[Member]]
  /// The index of each group, by identity of the owner's key.
  private var places: [UInt64: Int]
  private var last: (owner: UInt64, place: Int)?

  init(_ owners: [ManagedObject]) {
    members = Array(repeating: [], count: owners.count)
    places = Dictionary(minimumCapacity: owners.count)
    for (place, owner) in owners.enumerated() { places[owner.key.identity] = place }
  }

  mutating func add(_ member: Member, to owner: UInt64) {
    if let last, last.owner == owner {
      members[last.place].append(member)
    } else if let place = places[owner] {
      last = (owner, place)
      members[place].append(member)
    }
  }
}
