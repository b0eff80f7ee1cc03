// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// A save from its beginning to its end. Each step lies in a separate file.
extension ManagedObjectContext {
  /// Saves all changes into the parent. If it throws, the context keeps the changes, with one
  /// exception: ``ContextError/notDurable(_:_:)`` says that the parent has accepted them.
  ///
  /// Validation comes first: a ``ValidationError`` lists every failure. If the parent refuses the
  /// changes, a `StoreError` says why. Earlier failures of accesses that can not throw, such as a
  /// change of an object whose row is gone, are thrown once before anything else; the next save
  /// then saves the other changes. In the block of a service's write, the changes become part of
  /// the write. In the block of a read, nothing is saved. A hook, a check, or an observer before the save can not save the
  /// context again: ``ContextError/savedInSave``. An observer behind the save can.
  public func save() throws {
    beginWork()
    defer { endWork() }
    try refuseInSave()
    switch saving.place {
    case .parent:
      try throwFailures(after: 0)
      try save(isLast: false)
    case .write(let root): try saveIntoWrite(root)
    case .refused:
      guard hasChanges else { return }
      throw ContextError.savedInRead
    }
  }

  /// Saves into the parent. `isLast` says that nobody uses the context afterwards.
  func save(isLast: Bool) throws {
    saving.stage = .open
    let failuresBefore = failures.count
    try notifyingObservers {
      // The save is over for the observers who are told of its end, and they may begin the next one.
      defer { saving.stage = .none }
      try throwFailures(after: failuresBefore)
      try atNewestState {
        try resolvingConflicts { isAnother in
          try attemptSave(isLast: isLast, isAnother: isAnother)
        }
      }
    }
  }

  /// Attempts the save once. `isAnother` says that an earlier attempt met saves of others.
  private func attemptSave(isLast: Bool, isAnother: Bool) throws {
    let hadChanges = hasChanges
    guard hadChanges || !watched.isEmpty || !changes.transients.isEmpty else {
      return forgetWithdrawn()
    }
    let failuresBefore = failures.count
    // Finish and check the objects.
    try sendWillSave()
    try validateChanges()
    if events != nil { endEvent() }
    observers?.noteHookChanges(self)
    // Complete the rows.
    try assignPermanentKeys()
    try assignPositions()
    try deriveValues(again: isAnother)
    // Build the change set, and pass it to the parent.
    let saved = changes.changed
    var builder = ChangeSetBuilder(self)
    let changeSet = builder.build()
    changeSet.roundDates(to: datePrecision)
    try throwFailures(after: failuresBefore)
    let receipt = try sendToParent(changeSet)
    // Publish the accepted save, and begin anew.
    saving.stage = .accepted
    if hadChanges { publish(changeSet) }
    saving.onAccept?(changeSet)
    builder.seal()
    finishSave(saved, isLast: isLast)
    if !isLast { mergeShown(receipt.changedByTriggers) }
    if let failure = receipt.commitFailure, let receipt = lastReceipt {
      throw ContextError.notDurable(failure, receipt)
    }
  }

  /// Notifies observers before and after the save.
  private func notifyingObservers(_ body: () throws -> Void) throws {
    guard hasChanges else { return try body() }
    observers?.willSave(self)
    defer { observers?.endSave() }
    try body()
  }
}

// A save without a context must throw, so that it does not look like a save without changes.
extension ManagedObjectContext? {
  /// Saves the context, or throws ``ContextError/noContext``: `try
  /// object.managedObjectContext.save()`.
  public func save() throws {
    guard let self else { throw ContextError.noContext }
    try self.save()
  }
}
