// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

// How a context takes over its arrivals.
extension ManagedObjectContext {
  /// Takes over everything that arrived, up to the state of the store that the context is pinned to.
  /// `onMark` is called with the marks among the arrivals.
  func takeOver(_ arrivals: Arrivals, onMark: (Int) -> Void) {
    if hearsParent { parent.context?.inParent { _ in } }
    // A pinned context takes over later saves when it moves on. One that has read nothing yet takes all.
    let last = generation.map { $0.last ?? 0 } ?? .max
    // The number is read before the arrivals, because more may come in between.
    let published = storeRoot?.lastPublished
    let all = arrivals.take(upTo: last)
    defer { if let published, last > 0 { hasHeard(upTo: min(published, last)) } }
    if eventsPart != nil && !all.isEmpty {
      asideOfUndo { for arrival in all { take(arrival, onMark) } }
    } else {
      for arrival in all { take(arrival, onMark) }
    }
  }

  private func take(_ arrival: Arrival, _ onMark: (Int) -> Void) {
    switch arrival {
    case .saved(let changes, _):
      guard automaticallyMergesChangesFromParent else { return missSaves() }
      mergeTelling(changes)
    case .lost(let keys, _):
      guard automaticallyMergesChangesFromParent else { return missSaves() }
      mergeShown(keys)
    case .shown(let keys):
      if automaticallyMergesChangesFromParent { mergeShown(keys) }
    case .reset:
      forgetAll()
      observers?.invalidatedAll(self)
      tellChildren(arrival)
    case .storeRemoved(let number):
      forgetStore(number)
      tellChildren(arrival)
    case .outdated where automaticallyMergesChangesFromParent:
      outdateAll()
      missSaves()
      observers?.invalidatedAll(self)
      tellChildren(arrival)
    case .outdated: missSaves()
    case .mark(let number): onMark(number)
    }
  }

  /// A block, or a thread's work up to its next fetch or save, has ended.
  func endPieceOfWork() {
    if eventsPart != nil { endBlock() }
    observers?.objectsMayHaveChanged(in: self)
    if !retainsRegisteredObjects { sweepIfGrown() }
  }
}
