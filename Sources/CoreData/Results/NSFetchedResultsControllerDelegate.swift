// SPDX-License-Identifier: MIT
public import Foundation
import SporadesGraph
import SporadesLive
public import SporadesModel

/// Hears of the changes of a controller. Each method has an implementation that does nothing.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// Called for each object that came, went, moved or changed.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)
  /// Called for each section that came or went.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)
  /// Called with the steps from the ids of the old results to those of the new ones.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
  /// Called before changes.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  /// Called after changes.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  /// The title of a section in an index.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {}
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}
  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { nil }
}

/// Passes the changes of the library's controller on.
final class ResultsListener: FetchedResultsControllerDelegate {
  typealias Object = ManagedObject

  private weak var controller: NSFetchedResultsController<any NSFetchRequestResult>?
  /// Whether the delegate hears: the program's own fetches are told to nobody.
  var isHearing = false

  init(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    self.controller = controller
  }

  private func tell(
    _ body: (
      any NSFetchedResultsControllerDelegate, NSFetchedResultsController<any NSFetchRequestResult>
    ) -> Void
  ) {
    guard isHearing, let controller, let delegate = controller.delegate else { return }
    body(delegate, controller)
  }

  func controllerWillChangeContent(_ results: FetchedResultsController<ManagedObject>) {
    tell { $0.controllerWillChangeContent($1) }
  }

  func controller(
    _ results: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    tell {
      $0.controller(
        $1, didChange: object, at: indexPath, for: NSFetchedResultsChangeType(type),
        newIndexPath: newIndexPath)
    }
  }

  func controller(
    _ results: FetchedResultsController<ManagedObject>,
    didChange section: FetchedResultsSection<ManagedObject>, atSectionIndex index: Int,
    for type: FetchedResultsChangeType
  ) {
    tell {
      $0.controller(
        $1, didChange: ResultsSection(section), atSectionIndex: index,
        for: NSFetchedResultsChangeType(type))
    }
  }

  func controller(
    _ results: FetchedResultsController<ManagedObject>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>
  ) {
    tell { $0.controller($1, didChangeContentWith: difference) }
  }

  func controllerDidChangeContent(_ results: FetchedResultsController<ManagedObject>) {
    tell { $0.controllerDidChangeContent($1) }
  }
}
