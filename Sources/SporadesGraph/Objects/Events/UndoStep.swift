// SPDX-License-Identifier: MIT
import SporadesModel

/// The difference of one object between the beginning and the end of an event.
struct UndoStep {
  var before: ObjectSnapshot
  var after: ObjectSnapshot
  var slots: [Int] = []
  var references: [Int] = []
  var links: [LinkDifference] = []

  struct LinkDifference {
    let relationship: RelationshipShape
    var linked: [ManagedObject]
    var unlinked: [ManagedObject]
    /// The former order; nil if it did not change.
    var order: [ManagedObject]?
  }

  var object: ManagedObject { before.object }
  var isInsertion: Bool { !before.isPresent && after.isPresent }
  var isDeletion: Bool { before.isPresent && !after.isPresent }
}
