// SPDX-License-Identifier: MIT
import SporadesModel

// The step in which objects complete themselves.
extension ManagedObjectContext {
  /// Calls `willSave` of every changed object, and of each object that such a call changed.
  func sendWillSave() throws {
    guard saving.callsHooks else { return }
    var called: Set<ObjectIdentifier> = []
    var rounds = 0
    var open = changes.listed
    while !open.isEmpty {
      rounds += 1
      guard rounds <= 100 else { throw ContextError.endlessWillSave }
      open.forEachHeld { if $0.hasChanges { $0.willSave() } }
      guard changes.listed.count > open.count || rounds > 1 else { break }
      called.formUnion(open.map(ObjectIdentifier.init))
      open = changes.listed.filter { !called.contains(ObjectIdentifier($0)) }
    }
  }
}
