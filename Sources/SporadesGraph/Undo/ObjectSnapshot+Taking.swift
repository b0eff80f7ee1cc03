// SPDX-License-Identifier: MIT
import SporadesModel

extension ObjectSnapshot {
  /// The present state of the object.
  init(_ object: ManagedObject) {
    self.object = object
    guard !object.isRemoved, !object.state.contains(.gone) else {
      // because the last row of a deleted object shows the changes before its deletion
      if object.isRemoved { row = object.page?.copy(of: object.rowIndex) }
      return
    }
    isPresent = true
    if let page = object.page { takeRow(page, object.rowIndex) }
    for links in object.extras?.toMany ?? [] {
      let relationship = links.relationship
      let holdsLinks = Self.holdsLinks(of: relationship)
      // first, because changes that others made too are forgotten when the members are read
      let order = relationship.isOrdered ? object.memberFaults(relationship) : nil
      self.links.append(
        Links(
          relationship: relationship, added: links.added, removed: links.removed, order: order,
          members: !holdsLinks ? [] : links.isLoaded ? links.members : links.added,
          isLoaded: holdsLinks && links.isLoaded))
    }
  }

  /// The state of the object at its last save.
  init(committed object: ManagedObject) {
    self.object = object
    guard !object.isInserted, !object.state.contains(.gone) else { return }
    isPresent = true
    completeRow()
    for links in object.extras?.toMany ?? [] where Self.holdsLinks(of: links.relationship) {
      let relationship = links.relationship
      let order =
        relationship.isOrdered && (links.hasChanges || links.isLoaded)
        ? object.committedMembers(relationship) : nil
      let members = order ?? (links.isLoaded ? object.committedMembers(relationship) : [])
      self.links.append(Links(relationship: relationship, order: order, members: members))
    }
  }

  /// Takes the committed row of an object that was a fault at the end of its event. Its row is
  /// unchanged since.
  mutating func completeRow() {
    guard isPresent, row == nil, let page = object.page else { return }
    let base = object.base ?? (page, object.rowIndex)
    takeRow(base.page, base.index)
  }

  private mutating func takeRow(_ page: RowPage, _ index: Int) {
    let copy = page.copy(of: index)
    row = copy
    guard let context = object.home.context else { return }
    for slot in page.layout.referenceSlots {
      guard let key = copy.reference(0, slot: slot) else { continue }
      references[slot] = context.known(key)
    }
  }

  /// Whether the object holds the links or their order. Other links follow from the members' rows.
  private static func holdsLinks(of relationship: RelationshipShape) -> Bool {
    if case .join = relationship.storage { true } else { relationship.isOrdered }
  }

  func links(of relationship: RelationshipShape) -> Links? {
    links.first { $0.relationship === relationship }
  }
}

extension ManagedObjectContext {
  /// The object with the key. A new object may be missing in the map.
  final func known(_ key: RowKey) -> ManagedObject {
    if key.isTemporary, registered(key) == nil,
      let new = changes.listed.first(where: { $0.key == key })
    {
      return new
    }
    return object(forKey: key)
  }
}
