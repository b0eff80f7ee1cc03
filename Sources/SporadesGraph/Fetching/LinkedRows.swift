// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// The rows that one question reads, and those that they lead to.
///
/// Rules:
/// 1. Where the context has an object for a row, the object answers. No other object is made.
/// 2. The first row that follows a relationship reads for all rows that were read with it.
/// 3. An object that the context does not have has no unsaved links: a change of a link makes the objects at both ends.
final class LinkedRows {
  /// A row of any tree.
  private struct TreeKey: Hashable {
    let root: Int
    let identity: UInt64
  }

  private struct OwnerKey: Hashable {
    let relationship: Int
    let owner: TreeKey
  }

  /// A row that was read, and the number of the rows that were read together with it. The subjects that stand for it
  /// hold this object, so that it holds none of them.
  private struct Found {
    let place: RowSubject.Place
    let group: Int
  }

  /// The most rows that are asked for their links together.
  private static let most = 1024

  private let context: ManagedObjectContext
  let scope: StoreScope
  /// Rows of one tree each.
  private var groups: [[RowSubject.Place]] = []
  /// The rows that references lead to; nil for a row that is no more.
  private var targets: [TreeKey: Found?] = [:]
  private var members: [OwnerKey: [Found]] = [:]

  init(_ context: ManagedObjectContext) {
    self.context = context
    scope = context.stack.scope
  }

  // MARK: - Subjects

  /// The rows of pages.
  func subjects(of pages: [RowPage]) -> [RowSubject] { found(in: pages).map(subject) }

  /// Objects of one tree.
  func subjects(of objects: [ManagedObject]) -> [RowSubject] {
    found(at: objects.map { .object($0) }).map(subject)
  }

  private func subject(_ found: Found) -> RowSubject {
    RowSubject(place: found.place, rows: self, group: found.group)
  }

  private func found(in pages: [RowPage]) -> [Found] {
    var places: [RowSubject.Place] = []
    places.reserveCapacity(pages.reduce(0) { $0 + $1.count })
    for page in pages {
      for index in 0..<page.count { places.append(place(page, index)) }
    }
    return found(at: places)
  }

  private func found(at places: [RowSubject.Place]) -> [Found] {
    var found: [Found] = []
    found.reserveCapacity(places.count)
    for start in stride(from: 0, to: places.count, by: Self.most) {
      let part = places[start..<min(places.count, start + Self.most)]
      found += part.map { Found(place: $0, group: groups.count) }
      groups.append(Array(part))
    }
    return found
  }

  /// An object of the context shows a row that was read anew, as after a fetch.
  private func place(_ page: RowPage, _ index: Int) -> RowSubject.Place {
    let key = page.key(index)
    guard context.registered(key) != nil else { return .row(page, index) }
    return .object(context.object(key, showing: page, index))
  }

  /// The object of a row, which is made if the context does not have it.
  func object(of subject: RowSubject) -> ManagedObject {
    switch subject.place {
    case .object(let object): object
    case .row(let page, let index): context.object(showing: page, index)
    }
  }

  func id(of key: RowKey) -> ManagedObjectID {
    context.registered(key)?.objectID ?? ManagedObjectID(key: key, scope: scope)
  }

  private func treeKey(_ key: RowKey) -> TreeKey {
    TreeKey(root: context.stack.roots[key.entity - 1], identity: key.identity)
  }

  /// The object of the context that has its values, or of which no row is left.
  private func known(_ key: RowKey) -> ManagedObject? {
    guard let object = context.registered(key) else { return nil }
    return object.isFault && !object.state.contains(.gone) ? nil : object
  }

  // MARK: - To one

  /// The row that the reference in a slot leads to; nil if it is no more.
  func target(
    _ key: RowKey, of subject: RowSubject, _ slot: Int
  ) throws(StoreError) -> RowSubject? {
    let tree = treeKey(key)
    if targets[tree] == nil { try readTargets(of: subject, slot, key) }
    guard let known = targets[tree], let found = known else { return nil }
    return self.subject(found)
  }

  private func readTargets(
    of subject: RowSubject, _ slot: Int, _ key: RowKey
  ) throws(StoreError) {
    var objects: [RowSubject.Place] = []
    var others: [RowKey] = []
    for key in [key] + groups[subject.group].compactMap({ $0.reference(slot) })
    where targets[treeKey(key)] == nil {
      targets[treeKey(key)] = .some(nil)
      if let object = known(key) {
        objects.append(.object(object))
      } else if !key.isTemporary {
        others.append(key)
      }
    }
    let rows = others.isEmpty ? [] : try context.source.rows(for: others)
    for target in found(at: objects) + found(in: rows) {
      targets[treeKey(target.place.key)] = target
    }
  }

  // MARK: - To many

  /// The members of a row, with the links that the context has changed.
  func members(
    _ relationship: RelationshipShape, of subject: RowSubject
  ) throws(StoreError) -> [RowSubject] {
    guard let owner = subject.object else {
      return try stored(relationship, of: subject).map(self.subject)
    }
    let links = owner.knownToMany(relationship)
    if links?.isLoaded == true || owner.isNew || owner.state.contains(.gone) {
      let members = owner.members(relationship)
      try context.fulfil(faultsAmong: members)
      return subjects(of: members)
    }
    var members = try stored(relationship, of: subject)
    guard let links else { return members.map(self.subject) }
    let removed = Set(links.removed.map(ObjectIdentifier.init))
    members.removeAll { $0.place.object.map { removed.contains(ObjectIdentifier($0)) } ?? false }
    let known = Set(members.compactMap { $0.place.object.map(ObjectIdentifier.init) })
    let added = links.added.filter { !known.contains(ObjectIdentifier($0)) }
    let places: [RowSubject.Place] = added.map { .object($0) }
    return sorted(members + found(at: places), relationship).map(self.subject)
  }

  /// The members that the store knows of, without those that have left here.
  private func stored(
    _ relationship: RelationshipShape, of subject: RowSubject
  ) throws(StoreError) -> [Found] {
    guard !subject.key.isTemporary else { return [] }
    let owner = treeKey(subject.key)
    let key = OwnerKey(relationship: relationship.number, owner: owner)
    if members[key] == nil { try readMembers(relationship, of: subject) }
    let found = (members[key] ?? []).filter { member in
      member.place.object.map { context.isStillMember($0, relationship, of: owner.identity) }
        ?? true
    }
    return sorted(found, relationship)
  }

  private func readMembers(
    _ relationship: RelationshipShape, of subject: RowSubject
  ) throws(StoreError) {
    var owners: [RowKey] = []
    for key in [subject.key] + groups[subject.group].map(\.key) where !key.isTemporary {
      let owner = OwnerKey(relationship: relationship.number, owner: treeKey(key))
      guard members[owner] == nil else { continue }
      members[owner] = []
      owners.append(key)
    }
    switch relationship.storage {
    case .reference, .memory: break
    case .inverseReference(let slot, let position):
      let pages = try context.source.rows(
        of: context.model.shape(numbered: relationship.destination), referencing: owners,
        in: slot, position: position)
      // The page tells the owner, since the object of a row may have another one here.
      let keys = pages.flatMap { page in
        (0..<page.count).map { page.reference($0, slot: slot) }
      }
      for (owner, member) in zip(keys, found(in: pages)) {
        if let owner { add(member, to: owner, relationship) }
      }
    case .join:
      let links = try context.source.links(of: relationship, owners: owners)
      let found = try linked(links.map(\.other))
      for link in links {
        if let member = found[treeKey(link.other)] { add(member, to: link.owner, relationship) }
      }
    }
  }

  private func add(_ member: Found, to owner: RowKey, _ relationship: RelationshipShape) {
    let key = OwnerKey(relationship: relationship.number, owner: treeKey(owner))
    members[key, default: []].append(member)
  }

  /// The rows with the keys that links name.
  private func linked(_ keys: [RowKey]) throws(StoreError) -> [TreeKey: Found] {
    var linked: [TreeKey: Found] = [:]
    var objects: [RowSubject.Place] = []
    var others: [RowKey] = []
    var seen: Set<RowKey> = []
    for key in keys where seen.insert(key).inserted {
      if let object = known(key) { objects.append(.object(object)) } else { others.append(key) }
    }
    let rows = others.isEmpty ? [] : try context.source.rows(for: others)
    for member in found(at: objects) + found(in: rows) {
      linked[treeKey(member.place.key)] = member
    }
    return linked
  }

  /// A child may have set positions that are not saved, so that the order follows the rows in memory.
  private func sorted(_ members: [Found], _ relationship: RelationshipShape) -> [Found] {
    guard case .inverseReference(_, let slot?) = relationship.storage, context.hasChanges else {
      return members
    }
    return OrderedPositions.order(of: members.map { $0.place.position(slot) }).map { members[$0] }
  }
}
