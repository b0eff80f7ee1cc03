// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

/// The report of one change of results, for the delegate and for consumers of snapshots.
struct ChangeReport<Object: ManagedObject> {
  private let change: ResultChange
  private let oldTable: SectionTable
  private let deletedSections: [(index: Int, section: FetchedResultsSection<Object>)]

  /// Prepares the report, while the controller still has the old results.
  init(
    _ change: ResultChange, from old: ResultList, _ controller: FetchedResultsController<Object>
  ) {
    self.change = change
    oldTable = old.table
    deletedSections = change.steps.deletedSections.map { ($0, controller.section($0).emptied) }
  }

  /// Sends the report, when the controller has the new results.
  func send(to controller: FetchedResultsController<Object>) {
    if let delegate = controller.delegate {
      sendSections(delegate, controller)
      for step in change.steps.steps { send(step, delegate, controller) }
    }
    sendSnapshot(controller)
    if let delegate = controller.delegate, controller.delegateReadsDifferences {
      delegate.controller(controller, didChangeContentWith: difference)
    }
    controller.delegate?.controllerDidChangeContent(controller)
  }

  private func sendSections(
    _ delegate: any FetchedResultsControllerDelegate<Object>,
    _ controller: FetchedResultsController<Object>
  ) {
    for (index, section) in deletedSections {
      delegate.controller(controller, didChange: section, atSectionIndex: index, for: .delete)
    }
    for index in change.steps.insertedSections {
      delegate.controller(
        controller, didChange: controller.section(index), atSectionIndex: index, for: .insert)
    }
  }

  private func send(
    _ step: (candidate: Int, step: ListChanges.Step),
    _ delegate: any FetchedResultsControllerDelegate<Object>,
    _ controller: FetchedResultsController<Object>
  ) {
    guard let object = change.objects[step.candidate] as? Object else {
      trap(
        "The results hold an object of class \(type(of: change.objects[step.candidate])). Fetch the entity of "
          + "\(Object.self).")
    }
    let type: FetchedResultsChangeType =
      switch step.step {
      case .insert: .insert
      case .delete: .delete
      case .move: .move
      case .update: .update
      }
    delegate.controller(
      controller, didChange: object, at: step.step.old.map(oldTable.path), for: type,
      newIndexPath: step.step.new.map(change.table.path))
  }

  // MARK: - Values

  private func sendSnapshot(_ controller: FetchedResultsController<Object>) {
    let delegate = controller.delegateReadsSnapshots ? controller.delegate : nil
    guard delegate != nil || !controller.consumers.isEmpty else { return }
    let snapshot = controller.snapshot(reloaded: change.reloaded, reconfigured: reconfigured)
    delegate?.controller(controller, didChangeContentWith: snapshot)
    controller.consumers.send(snapshot)
  }

  /// The ids of objects that moved or changed.
  private var reconfigured: Set<ManagedObjectID> {
    Set(
      change.steps.steps.compactMap { index, step in
        step.old != nil && step.new != nil ? change.objects[index].objectID : nil
      }
    ).subtracting(change.reloaded)
  }

  private var difference: CollectionDifference<ManagedObjectID> {
    var changes: [CollectionDifference<ManagedObjectID>.Change] = []
    for (index, step) in change.steps.steps {
      let id = change.objects[index].objectID
      if let old = step.old {
        changes.append(.remove(offset: old, element: id, associatedWith: step.new))
      }
      if let new = step.new {
        changes.append(.insert(offset: new, element: id, associatedWith: step.old))
      }
    }
    guard let difference = CollectionDifference(changes) else {
      trap("The steps of a change of results name a position twice: \(changes)")
    }
    return difference
  }
}

extension ListChanges.Step {
  /// The position that the member leaves or keeps.
  var old: Int? {
    switch self {
    case .insert: nil
    case .delete(let old), .move(let old, _), .update(let old, _): old
    }
  }

  /// The position that the member takes or keeps.
  var new: Int? {
    switch self {
    case .delete: nil
    case .insert(let new), .move(_, let new), .update(_, let new): new
    }
  }
}
