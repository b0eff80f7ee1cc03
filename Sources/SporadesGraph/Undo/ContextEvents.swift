// SPDX-License-Identifier: MIT
import SporadesModel

/// The events of a context whose changes can be undone, or were asked for by
/// `processPendingChanges`. A context that needs neither has none.
///
/// Setters record nothing. At the end of an event every object on the context's list of changed
/// ones is compared with what it was at the end of the event before, or at the last save.
final class ContextEvents: ContextPart {
  var undoManager: ContextUndoManager?
  private var snapshots: [ObjectIdentifier: ObjectSnapshot] = [:]

  /// Ends an event: what differs goes to the undo manager.
  func endEvent(in context: ManagedObjectContext) {
    var steps: [UndoStep] = []
    let records = undoManager?.isRecording == true
    for object in context.touchedObjects {
      guard !object.isFault || object.state.contains(.gone) else {
        // what was refreshed has forgotten its changes, and they cannot be had again
        snapshots[ObjectIdentifier(object)] = nil
        continue
      }
      let now = ObjectSnapshot(object)
      let past = snapshots.updateValue(now, forKey: ObjectIdentifier(object))
      guard records else { continue }
      if let step = UndoStep(past ?? ObjectSnapshot(committed: object), now) { steps.append(step) }
    }
    if !steps.isEmpty { undoManager?.record(steps) }
  }

  /// Takes the state as it is for the beginning of the next event.
  func restart(in context: ManagedObjectContext) {
    snapshots = [:]
    for object in context.touchedObjects {
      snapshots[ObjectIdentifier(object)] = ObjectSnapshot(object)
    }
  }

  /// What was saved is the beginning of the next event.
  func forget() { snapshots = [:] }

  func snapshot(of object: ManagedObject) -> ObjectSnapshot? {
    snapshots[ObjectIdentifier(object)]
  }
}

extension ManagedObjectContext {
  final var touchedObjects: [ManagedObject] {
    changes.listed
      + changes.linked.filter { !$0.state.contains(.listed) && !$0.isFault }
  }
}
