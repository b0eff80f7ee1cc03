// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesLive

/// A table that takes reported changes as a table view does, and traps on paths that it does not have.
final class TableViewModel<Object: ManagedObject>: FetchedResultsControllerDelegate {
  struct Section: Equatable {
    var name: String
    var rows: [ManagedObjectID]
  }

  private(set) var sections: [Section] = []
  private(set) var events: [String] = []
  private(set) var updated: [ManagedObjectID] = []
  private(set) var errors: [any Error] = []
  private(set) var snapshots: [FetchedResultsSnapshot] = []
  private(set) var differences: [CollectionDifference<ManagedObjectID>] = []
  private(set) var rounds = 0
  private var reported: [ObjectIdentifier] = []
  private var flat: [ManagedObjectID] = []
  private var isChanging = false
  private var deletedSections: [Int] = []
  private var insertedSections: [(Int, String)] = []
  private var leaving: [IndexPath] = []
  private var coming: [(IndexPath, ManagedObjectID)] = []

  init(_ controller: FetchedResultsController<Object>) {
    controller.delegate = self
    load(controller)
  }

  func load(_ controller: FetchedResultsController<Object>) {
    sections = Self.sections(of: controller)
    flat = sections.flatMap(\.rows)
  }

  static func sections(of controller: FetchedResultsController<Object>) -> [Section] {
    (controller.sections ?? []).map { Section(name: $0.name, rows: $0.objects.map(\.objectID)) }
  }

  func takeEvents() -> [String] {
    defer { events = [] }
    return events
  }

  /// The objects that were reported in any way since the last call.
  func takeReported() -> [ObjectIdentifier] {
    defer { reported = [] }
    return reported
  }

  // MARK: - Delegate

  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {
    precondition(!isChanging, "The changes begin twice.")
    isChanging = true
    rounds += 1
    // Ids that became permanent are the same rows.
    sections = Self.sections(of: controller)
    flat = sections.flatMap(\.rows)
  }

  func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    precondition(isChanging, "A change comes outside of the changes.")
    reported.append(ObjectIdentifier(object))
    events.append("\(type) \(text(indexPath)) \(text(newIndexPath))")
    switch type {
    case .insert:
      precondition(indexPath == nil)
      coming.append((newIndexPath!, object.objectID))
    case .delete:
      precondition(newIndexPath == nil)
      leave(indexPath!, object)
    case .move:
      leave(indexPath!, object)
      coming.append((newIndexPath!, object.objectID))
    case .update:
      precondition(sections[indexPath!.section].rows[indexPath!.item] == object.objectID)
      precondition(controller.object(at: newIndexPath!) === object)
      updated.append(object.objectID)
    }
  }

  private func leave(_ path: IndexPath, _ object: Object) {
    precondition(sections[path.section].rows[path.item] == object.objectID, "A wrong row leaves.")
    precondition(!leaving.contains(path), "A row leaves twice.")
    leaving.append(path)
  }

  func controller(
    _ controller: FetchedResultsController<Object>,
    didChange section: FetchedResultsSection<Object>, atSectionIndex index: Int,
    for type: FetchedResultsChangeType
  ) {
    precondition(isChanging, "A change comes outside of the changes.")
    events.append("section \(type) \(index)")
    if type == .delete {
      precondition(sections[index].name == section.name)
      precondition(section.numberOfObjects == 0 && section.objects.isEmpty)
      deletedSections.append(index)
    } else {
      insertedSections.append((index, section.name))
    }
  }

  func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith snapshot: FetchedResultsSnapshot
  ) { snapshots.append(snapshot) }

  func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>
  ) {
    differences.append(difference)
    guard let next = flat.applying(difference) else {
      preconditionFailure("The difference does not fit the old results.")
    }
    flat = next
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {
    precondition(isChanging)
    isChanging = false
    applyRowsThatLeave()
    for index in deletedSections.sorted(by: >) {
      precondition(sections[index].rows.isEmpty, "A section goes with rows that nobody took out.")
      sections.remove(at: index)
    }
    for (index, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) {
      sections.insert(Section(name: name, rows: []), at: index)
    }
    for (path, id) in coming.sorted(by: { $0.0 < $1.0 }) {
      sections[path.section].rows.insert(id, at: path.item)
    }
    (deletedSections, insertedSections, leaving, coming) = ([], [], [], [])
    precondition(sections == Self.sections(of: controller), "The changes lead to other results.")
    precondition(flat == sections.flatMap(\.rows), "The difference leads to other results.")
    precondition(snapshots.last == nil || snapshots.last!.objectIDs == flat)
  }

  private func applyRowsThatLeave() {
    for path in leaving.sorted(by: >) { sections[path.section].rows.remove(at: path.item) }
  }

  func controller(_ controller: FetchedResultsController<Object>, didFail error: any Error) {
    errors.append(error)
  }

  private func text(_ path: IndexPath?) -> String {
    path.map { "\($0.section).\($0.item)" } ?? "-"
  }
}
