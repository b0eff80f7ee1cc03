// SPDX-License-Identifier: MIT
import SporadesModel

/// What an object was at the end of an event.
struct ObjectSnapshot {
  let object: ManagedObject
  /// The object was in the graph: made, and not deleted.
  var isPresent = false
  /// Its row, alone in a page.
  var row: RowPage?
  /// By slot, because keys change when new objects are saved.
  var references: [Int: ManagedObject] = [:]
  /// What was changed in its to-many relationships that are kept as links or in an order.
  var links: [Links] = []

  struct Links {
    let relationship: RelationshipShape
    var added: [ManagedObject] = []
    var removed: [ManagedObject] = []
    /// The members of an ordered relationship.
    var order: [ManagedObject]?
    /// The members as far as they are in memory.
    var members: [ManagedObject] = []
  }

  /// The object as it is.
  init(_ object: ManagedObject) {
    self.object = object
    guard !object.isDeleted, !object.state.contains(.gone), let page = object.page else {
      // what it held when it left tells what was changed before
      if object.isDeleted { row = object.page?.copy(of: object.rowIndex) }
      return
    }
    isPresent = true
    takeRow(page, object.rowIndex)
    for links in object.extras?.toMany ?? [] where Self.tells(links.relationship) {
      let relationship = links.relationship
      self.links.append(
        Links(
          relationship: relationship, added: links.added, removed: links.removed,
          order: relationship.isOrdered ? object.memberFaults(relationship) : nil,
          members: links.isLoaded ? links.members : links.added))
    }
  }

  /// The object as the last save left it.
  init(committed object: ManagedObject) {
    self.object = object
    guard !object.isInserted, !object.state.contains(.gone), let page = object.page else { return }
    isPresent = true
    let base = object.base ?? (page, object.rowIndex)
    takeRow(base.page, base.index)
    for links in object.extras?.toMany ?? [] where Self.tells(links.relationship) {
      let relationship = links.relationship
      let order =
        relationship.isOrdered && (links.hasChanges || links.isLoaded)
        ? object.committedMembers(relationship) : nil
      let members = order ?? (links.isLoaded ? object.committedMembers(relationship) : [])
      self.links.append(Links(relationship: relationship, order: order, members: members))
    }
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

  /// Unordered to-many relationships over a to-one are told by their members' rows.
  private static func tells(_ relationship: RelationshipShape) -> Bool {
    if case .join = relationship.storage { true } else { relationship.isOrdered }
  }

  func links(of relationship: RelationshipShape) -> Links? {
    links.first { $0.relationship === relationship }
  }
}

extension ManagedObjectContext {
  /// The object with the key; new ones may not be in the map.
  final func known(_ key: RowKey) -> ManagedObject {
    if key.isTemporary, registered(key) == nil,
      let new = changes.listed.first(where: { $0.key == key })
    {
      return new
    }
    return object(forKey: key)
  }
}
