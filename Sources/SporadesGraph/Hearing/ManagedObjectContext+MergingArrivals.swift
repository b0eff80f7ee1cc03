// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

// Merging of arrivals.
extension ManagedObjectContext {
  /// Merges all arrivals, but only up to the state that the context is pinned to. It calls `onMark`
  /// with each mark among them. The root is the one that delivers them; nil where none does.
  func mergeArrivals(
    _ arrivals: Arrivals, of root: RootContext?, onMark: (Int) -> Void
  ) {
    if hearing.listensToParent { parent.context?.inParent { _ in } }
    // A pinned context merges later saves when it moves on. One that has not read yet has no such
    // limit.
    let last = generation.map { $0.last ?? 0 } ?? .max
    // because saves may arrive during the merge, the number is read before the arrivals
    let published = root?.lastPublished
    let all = arrivals.take(upTo: last)
    defer { if let published, last > 0 { noteSaves(upTo: min(published, last)) } }
    merge(all, onMark)
  }

  /// Merges what the parent has shown, with the rows that it handed over, and asks it nothing.
  func merge(_ shown: [Arrival], withRows rows: [RowKey: RowPage]) {
    hearing.handed = rows
    defer { hearing.handed = nil }
    merge(shown) { _ in }
  }

  private func merge(_ all: [Arrival], _ onMark: (Int) -> Void) {
    if events != nil && !all.isEmpty {
      withoutUndo { for arrival in all { mergeArrival(arrival, onMark) } }
    } else {
      for arrival in all { mergeArrival(arrival, onMark) }
    }
  }

  private func mergeArrival(_ arrival: Arrival, _ onMark: (Int) -> Void) {
    switch arrival {
    case .saved(let changes, _):
      guard automaticallyMergesChangesFromParent else { return noteMissedSave() }
      mergeAndNotify(changes)
    case .lost(let keys, _):
      guard automaticallyMergesChangesFromParent else { return noteMissedSave() }
      mergeShown(keys)
    case .others(let keys, let inserted, _):
      guard automaticallyMergesChangesFromParent else { return noteMissedSave() }
      mergeShown(keys, inserted: inserted)
    case .shown(let keys, let inserted):
      if automaticallyMergesChangesFromParent { mergeShown(keys, inserted: inserted) }
    case .reset:
      detachAll()
      observers?.postInvalidatedAll(self)
      notifyChildren(arrival)
    case .storeRemoved(let number):
      detachStore(number)
      notifyChildren(arrival)
    case .outdated where automaticallyMergesChangesFromParent:
      invalidateAll()
      noteMissedSave()
      observers?.postInvalidatedAll(self)
      if parent.context != nil {
        // because the changed objects kept their rows, and would conflict with saves that the parent shows
        mergeShown(changes.listed.filter { $0.isRowChanged && !$0.isNew }.map(\.key))
      }
      notifyChildren(arrival)
    case .outdated: noteMissedSave()
    case .storesAdded: break
    case .mark(let number): onMark(number)
    }
  }

  /// Ends a block, or the work of a thread before its next fetch or save.
  func endPieceOfWork() {
    if events != nil { endBlock() }
    observers?.postChanges(in: self)
    forgetWithdrawn()
    if !retainsRegisteredObjects { sweepIfGrown() }
  }
}
