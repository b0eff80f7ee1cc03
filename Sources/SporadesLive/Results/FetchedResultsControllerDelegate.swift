// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesGraph
public import SporadesModel

/// The kind of a change of results, with Core Data's numbers.
public enum FetchedResultsChangeType: UInt, Hashable, Sendable {
  /// An object or a section came.
  case insert = 1
  /// An object or a section went.
  case delete = 2
  /// An object has another place. Its values may have changed, too.
  case move = 3
  /// The values of an object changed, and it kept its place.
  case update = 4
}

/// Hears of the changes of a ``FetchedResultsController``, on the queue of its context.
///
/// Rules:
/// 1. Every method has an implementation that does nothing. Write those that you need.
/// 2. The changes of one event come together: first ``controllerWillChangeContent(_:)`` with the old
///    results, then, with the new results, the sections, the objects, the snapshot, the difference and
///    ``controllerDidChangeContent(_:)``.
/// 3. Paths that objects and sections leave are those of the old results. Paths that they take are those of the new
///    ones. A table view takes the changes as they are, between the beginning and the end of its updates.
/// 4. An object that moves is not reported as updated, too. Objects that only shift are not reported.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  /// The class of the objects.
  associatedtype Object: ManagedObject

  /// Called before changes. The controller still has the old results.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

  /// Called for each object that came, went, moved or changed.
  ///
  /// `indexPath` is the path in the old results, and nil for an insertion. `newIndexPath` is the path in the
  /// new results, and nil for a deletion.
  func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?)

  /// Called for each section that came or went. A deleted section has its number in the old results,
  /// an inserted one in the new results.
  func controller(
    _ controller: FetchedResultsController<Object>,
    didChange section: FetchedResultsSection<Object>, atSectionIndex index: Int,
    for type: FetchedResultsChangeType)

  /// Called with the new results as a value.
  func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith snapshot: FetchedResultsSnapshot)

  /// Called with the steps that lead from the ids of the old results to those of the new ones. An object
  /// whose values changed is removed and inserted at its place.
  func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>)

  /// Called after changes.
  func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)

  /// The title of a section in an index. Without an implementation it is the first letter of the name,
  /// as a capital.
  func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String?

  /// Called when the results could not be brought up to date. They stay as they were, and the next event
  /// fetches them again.
  func controller(_ controller: FetchedResultsController<Object>, didFail error: any Error)
}

extension FetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>,
    didChange section: FetchedResultsSection<Object>, atSectionIndex index: Int,
    for type: FetchedResultsChangeType
  ) {}

  /// Does nothing, and spares the controller further snapshots.
  public func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {
    controller.delegateReadsSnapshots = false
  }

  /// Does nothing, and spares the controller further differences.
  public func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>
  ) {
    controller.delegateReadsDifferences = false
  }

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// The first letter of the name, as a capital; nil for an empty name.
  public func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? { FetchedResultsController<Object>.firstLetter(of: name) }

  /// Prints the error.
  public func controller(_ controller: FetchedResultsController<Object>, didFail error: any Error) {
    writeToStandardError("Sporades: a fetched results controller failed: \(error)\n")
  }
}
