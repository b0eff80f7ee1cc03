// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Saves inside the block of a write.
//
// Rules:
// 1. A write is all or nothing. A save in its block goes to a staging context, which is saved when
//    the block ends, and dropped if the block throws.
// 2. The first save makes the staging context. A block that does not save pays nothing.
// 3. A save in the block validates the objects and detects conflicts with earlier saves of others.
//    Failures that only the store can detect come at the end.
extension ManagedObjectContext {
  /// The durability of the context's next save.
  var owedDurability: Durability { saving.owesImmediate ? .immediate : durability }

  /// Saves into the write.
  func saveIntoWrite(_ root: RootContext) throws {
    guard hasChanges || !watched.isEmpty else { return }
    if staging == nil { insertStaging(root) }
    try save(isLast: false)
  }

  func insertStaging(_ root: RootContext) {
    // because the save works on the newest state, everything after it does too
    if generation != nil { unpin(root) }
    let between = ManagedObjectContext(stack: stack, parent: parent, name: name)
    between.hearing.known = hearing.known
    between.access.take()
    between.saving.hintsAtLoss = false
    between.saving.sharesCommit = saving.sharesCommit
    parent = .context(ParentSource(ContextQueue(between, label: "write"), root))
    staging = between
  }

  /// Saves the write into the parent, after its block. Returns the number of the save, or nil if
  /// there was nothing to save.
  func endWrite() throws -> SaveNumber? {
    try save(isLast: true)
    defer { hintAtLateChanges() }
    guard let staging else { return lastSave }
    staging.terms = terms
    try BlockFailures.check(.success(()), staging.takeFailures())
    defer { lastSave = staging.lastSave }
    try staging.save(isLast: true)
    return staging.lastSave
  }

  /// The store has accepted the write's save.
  package final var isAccepted: Bool { (staging ?? self).lastSave != nil }

  /// Runs the block of a read, in which saves throw.
  package final func refusingSaves<Output>(_ body: () throws -> Output) rethrows -> Output {
    let former = saving.place
    saving.place = .refused
    defer { saving.place = former }
    return try body()
  }
}
