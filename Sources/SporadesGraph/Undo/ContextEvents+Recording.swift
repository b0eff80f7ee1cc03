// SPDX-License-Identifier: MIT
import SporadesModel

extension ContextEvents {
  /// Ends an event, and passes the differences to the undo manager.
  func endEvent(in context: ManagedObjectContext) {
    var steps: [UndoStep] = []
    let records = undoManager?.isRecording == true
    for object in context.changes.listed {
      guard object.isComparable else {
        // because a refreshed object has dropped its changes, the event can not record them
        snapshots[ObjectIdentifier(object)] = nil
        continue
      }
      let now = ObjectSnapshot(object)
      var past = snapshots.updateValue(now, forKey: ObjectIdentifier(object))
      guard records else { continue }
      past?.completeRow()
      if let step = UndoStep(past ?? ObjectSnapshot(committed: object), now) { steps.append(step) }
    }
    if !steps.isEmpty { undoManager?.record(steps) }
  }

  /// Begins the next event with the present state.
  func restart(in context: ManagedObjectContext) {
    snapshots = [:]
    for object in context.changes.listed where object.isComparable {
      snapshots[ObjectIdentifier(object)] = ObjectSnapshot(object)
    }
  }

  /// Begins the next event with the saved state.
  func clear() { snapshots = [:] }

  func snapshot(of object: ManagedObject) -> ObjectSnapshot? {
    var snapshot = snapshots[ObjectIdentifier(object)]
    snapshot?.completeRow()
    return snapshot
  }
}

extension ManagedObject {
  /// Whether a snapshot tells more of the object than that it is a fault.
  fileprivate final var isComparable: Bool {
    !isFault || state.contains(.gone) || hasChangedLinks
  }
}
