// SPDX-License-Identifier: MIT
public import SporadesModel

/// The results of a ``FetchedResultsController`` at one moment, as a value that may go to other tasks.
public struct FetchedResultsSnapshot: Hashable, Sendable {
  /// One section of a snapshot.
  public struct Section: Hashable, Sendable {
    /// The name of the section; empty if the controller makes no sections.
    public let name: String
    /// The ids of the objects in the section, in their order.
    public let objectIDs: [ManagedObjectID]
  }

  /// The sections in their order. A controller without section names has exactly one.
  public let sections: [Section]
  /// The ids of objects for which the context has new instances since the snapshot before.
  public private(set) var reloadedObjectIDs: Set<ManagedObjectID>
  /// The ids of objects whose values changed since the snapshot before.
  public private(set) var reconfiguredObjectIDs: Set<ManagedObjectID>

  init(
    _ sections: [Section], reloaded: Set<ManagedObjectID> = [],
    reconfigured: Set<ManagedObjectID> = []
  ) {
    self.sections = sections
    reloadedObjectIDs = reloaded
    reconfiguredObjectIDs = reconfigured
  }

  /// The ids of all objects, in their order.
  public var objectIDs: [ManagedObjectID] { sections.flatMap(\.objectIDs) }
  /// The names of the sections, in their order.
  public var sectionNames: [String] { sections.map(\.name) }
  /// The number of objects.
  public var numberOfObjects: Int { sections.reduce(0) { $0 + $1.objectIDs.count } }

  /// The snapshot with the changed ids of one that nobody has read.
  func adding(_ unread: FetchedResultsSnapshot) -> FetchedResultsSnapshot {
    var sum = self
    sum.reloadedObjectIDs.formUnion(unread.reloadedObjectIDs)
    sum.reconfiguredObjectIDs.formUnion(unread.reconfiguredObjectIDs)
    return sum
  }
}
