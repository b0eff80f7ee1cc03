// SPDX-License-Identifier: MIT
import SporadesModel

/// The state of an object at the end of an event.
struct ObjectSnapshot {
  var object: ManagedObject
  /// Whether the graph had the object: it was made, and not deleted.
  var isPresent = false
  /// The object's row, alone in a page; nil for a fault.
  var row: RowPage?
  /// The referenced objects by slot, because the keys of new objects change when they are saved.
  var references: [Int: ManagedObject] = [:]
  /// The to-many relationships in memory.
  var links: [Links] = []

  struct Links {
    let relationship: RelationshipShape
    var added: [ManagedObject] = []
    var removed: [ManagedObject] = []
    /// The order of the members; nil if the relationship is not ordered.
    var order: [ManagedObject]?
    /// The members that are in memory; empty if the rows of the members hold the links.
    var members: [ManagedObject] = []
    /// All members are in memory, and are here.
    var isLoaded = false
  }
}
