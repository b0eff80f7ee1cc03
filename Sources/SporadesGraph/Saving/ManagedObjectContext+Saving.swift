// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// A save from its beginning to its end. Each step has a file of its own.
extension ManagedObjectContext {
  /// Hands all changes to the parent, or throws and keeps them.
  ///
  /// Throws a ``ValidationError`` with every failure before anything leaves the context, and a
  /// `StoreError` where the parent refuses the changes. What failed since the last save and could not be
  /// thrown, such as a change of an object whose row is gone, is thrown first, once; another save then
  /// saves the rest. In the block of a service's write, the changes become part of the write, which is
  /// executed when the block ends; in the block of a read, nothing is saved. ``ContextError/notDurable(_:_:)`` alone says that
  /// the changes were taken.
  public func save() throws {
    beginWork()
    defer { endWork() }
    switch savePlace {
    case .parent:
      try throwFailures(after: 0)
      try save(isLast: false)
    case .write(let root): try saveIntoWrite(root)
    case .refused:
      guard hasChanges else { return }
      throw ContextError.savedInRead
    }
  }

  /// Saves into the parent. `isLast` says that nobody will use the context any more.
  func save(isLast: Bool) throws {
    try tellingObservers {
      try atNewestState {
        try resolvingConflicts { isAnother in
          try attemptSave(isLast: isLast, isAnother: isAnother)
        }
      }
    }
  }

  /// One attempt. `isAnother` says that the one before met what others saved.
  private func attemptSave(isLast: Bool, isAnother: Bool) throws {
    let hadChanges = hasChanges
    guard hadChanges || !watched.isEmpty else { return }
    let failuresBefore = failures.count
    // Finish and check the objects.
    try sendWillSave()
    try validateChanges()
    if eventsPart != nil { processPendingChanges() }
    // Complete the rows.
    try assignPermanentKeys()
    try placeOrdered()
    try deriveValues(again: isAnother)
    // Build the change set, and hand it to the parent.
    let saved = changes.listed
    var builder = ChangeSetBuilder(self)
    let changeSet = builder.build()
    try throwFailures(after: failuresBefore)
    let receipt = try handOver(changeSet)
    // The parent took it: tell, and begin anew.
    if hadChanges { publish(changeSet) }
    builder.seal()
    finishSave(saved, isLast: isLast)
    if !isLast { mergeShown(receipt.changedByTriggers) }
    if let failure = receipt.commitFailure, let receipt = lastReceipt {
      throw ContextError.notDurable(failure, receipt)
    }
  }

  /// Tells observers before and after the save.
  private func tellingObservers(_ body: () throws -> Void) throws {
    guard let observers, hasChanges else { return try body() }
    observers.willSave(self)
    defer { observers.saveEnded() }
    try body()
  }
}

// A save without a context must fail, and must not look like a save that had nothing to do.
extension ManagedObjectContext? {
  /// Saves the context, or throws ``ContextError/noContext``: `try object.managedObjectContext.save()`.
  public func save() throws {
    guard let self else { throw ContextError.noContext }
    try self.save()
  }
}
