// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// The context of a write, whose block may save it and then fail.
//
// Rules:
// 1. A write is all or nothing. What its block saves goes to a context in between, which is saved when
//    the block has ended, and dropped where the block throws.
// 2. That context is made by the first save. A block that does not save pays nothing.
// 3. What a save checks without the store is checked in the block: validation, and conflicts with what
//    others saved until then. What the store alone can tell comes at the end.
extension ManagedObjectContext {
  /// What the context's next save promises.
  var owedDurability: Durability { owesImmediate ? .immediate : durability }

  /// Saves into the write.
  func saveIntoWrite(_ root: RootContext) throws {
    guard hasChanges || !watched.isEmpty else { return }
    if staging == nil { putStaging(root) }
    try save(isLast: false)
  }

  private func putStaging(_ root: RootContext) {
    // A save works on the newest state, and so does everything after it.
    if generation != nil { unpin(root) }
    let between = ManagedObjectContext(stack: stack, parent: parent, name: name)
    between.heard = heard
    between.access.take()
    parent = .context(ParentSource(ContextQueue(between, label: "write"), root))
    staging = between
  }

  /// Hands the write to the parent, after its block; returns the number of the save where there was
  /// anything to save.
  func endWrite() throws -> SaveNumber? {
    try save(isLast: true)
    guard let staging else { return lastSave }
    staging.transactionAuthor = transactionAuthor
    staging.name = name
    staging.durability = durability
    staging.mergePolicy = mergePolicy
    try BlockFailures.check(.success(()), staging.takeFailures())
    defer { lastSave = staging.lastSave }
    try staging.save(isLast: true)
    return staging.lastSave
  }

  /// Runs the block of a read, in which nothing is saved.
  package final func refusingSaves<Output>(_ body: () throws -> Output) rethrows -> Output {
    let former = savePlace
    savePlace = .refused
    defer { savePlace = former }
    return try body()
  }
}
