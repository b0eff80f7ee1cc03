// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Batches: many objects are inserted, changed or deleted without being loaded into this context.
//
// Rules:
// 1. A context over the store has the store carry the batch out, which commits it before it returns. Unsaved changes
//    of the context stay on top, as they do when another context saves.
// 2. In the block of a write, the context saves its changes into the write first. The batch becomes part of the
//    write, all or nothing with it. A child context's batch becomes changes of its parent.
// 3. Other contexts hear of the batch as of a save of a sibling.
extension ManagedObjectContext {
  /// Sets attributes of many objects without loading them into this context. Throws, and changes nothing, if a
  /// new value breaks a rule of the model.
  @discardableResult
  public func execute<Object>(_ batch: BatchUpdateRequest<Object>) throws -> BatchResult {
    try executeBatch {
      guard let request = try batch.rows.fetchRequest(in: self) else { return noEffects }
      let fetch = try batchFetch(request)
      let shape = fetch.entity
      let (assignments, paths, links) = try BatchAssignment.all(of: batch, in: self, shape)
      try BatchAssignment.checkRules(assignments, of: paths, shape, in: self) {
        var first = request
        first.fetchLimit = 1
        return try fetchIDs(first).first
      }
      if !batch.skipsHooks {
        // An owner is changed by a member that joins or leaves it.
        let owners = links.filter { stack.inverses[$0.relationship.number] != nil }
        let changed = owners.reduce(Set(shape.family)) {
          $0.union($1.relationship.destinationFamily)
        }
        try refuseSkipping([(changed, ObjectHook.ofUpdate)], "updates", shape)
      }
      if links.isEmpty, canUpdateInStore(assignments, shape),
        let outcome = try executeInStore(.update(assignments), fetch)
      {
        return outcome
      }
      return try executeOnObjects { context in
        let objects = try context.update(context.fetch(request), assignments)
        try context.link(objects, links)
        return objects
      }
    }
  }

  /// Deletes many objects without loading them into this context, and carries out their delete rules. Throws,
  /// and deletes nothing, if a rule denies a deletion.
  @discardableResult
  public func execute<Object>(_ batch: BatchDeleteRequest<Object>) throws -> BatchResult {
    try executeBatch {
      guard let request = try batch.rows.fetchRequest(in: self) else { return noEffects }
      let fetch = try batchFetch(request)
      let reach = DeletionReach(of: fetch.family, stack)
      if !batch.skipsHooks {
        try refuseSkipping(
          [(reach.deleted, ObjectHook.ofDeletion), (reach.changed, ObjectHook.ofUpdate)],
          "deletes", fetch.entity)
      }
      if canDeleteInStore(reach), let outcome = try executeInStore(.delete, fetch) {
        return outcome
      }
      return try executeOnObjects { context in
        let objects = try context.fetch(request)
        for object in objects { context.delete(object) }
        return objects
      }
    }
  }

  /// Inserts many objects. This context makes none of them.
  @discardableResult
  public func execute<Object>(_ batch: BatchInsertRequest<Object>) throws -> BatchResult {
    try executeBatch {
      let shape = try batch.entityName.map(shape(named:)) ?? self.shape(for: Object.self)
      guard !shape.isAbstract else { throw ContextError.abstractEntity(shape.name) }
      if !batch.skipsHooks {
        try refuseSkipping([([shape.number], ObjectHook.ofInsertion)], "inserts", shape)
      }
      return try insert(batch, shape)
    }
  }

  // MARK: - Steps

  func executeBatch(_ body: () throws -> BatchOutcome) throws -> BatchResult {
    beginWork()
    defer { endWork() }
    try refuseInSave()
    switch saving.place {
    case .parent: break
    case .write(let root):
      try saveIntoWrite(root)
      if staging == nil { insertStaging(root) }
    case .refused: throw ContextError.savedInRead
    }
    return try atNewestState {
      let outcome = try body()
      let effects = outcome.effects
      let isInStore = parent.root != nil
      if effects.changes.count > 0 { merge(own: effects.changes, isInStore: isInStore) }
      if let failure = outcome.notDurable { throw failure }
      return BatchResult(effects, stack.scope, isInStore: isInStore)
    }
  }

  private var noEffects: BatchOutcome {
    BatchOutcome(effects: BatchEffects(changes: ChangeSet(), keys: []))
  }

  /// Merges the changes of the context's own batch, which does not arrive here.
  private func merge(own changes: ChangeSet, isInStore: Bool) {
    withoutUndo {
      if !isInStore {
        mergeShown(
          changes.keys + changes.linkedKeys + changes.relinked, inserted: changes.insertedKeys)
      } else if automaticallyMergesChangesFromParent {
        mergeAndNotify(changes)
      } else {
        noteMissedSave()
      }
    }
  }

  private func batchFetch(_ request: FetchRequest) throws -> StoreFetch {
    guard request.timeout == nil else {
      throw ContextError.unsupportedRequest(
        "A batch of \(request.entityName) has a timeout, and no change is stopped half-way. Leave the timeout out."
      )
    }
    return try storeFetch(request, for: .ids)
  }

  private func shape(named name: String) throws(ContextError) -> EntityShape {
    guard let shape = model.shape(named: name) else {
      throw .unknownEntity(name, known: model.shapes.map(\.name))
    }
    return shape
  }

  /// Throws if a class overrides a method that the batch would not call.
  private func refuseSkipping(
    _ hooks: [(entities: Set<Int>, hooks: [ObjectHook])], _ verb: String, _ shape: EntityShape
  ) throws(ContextError) {
    for (entities, hooks) in hooks {
      for number in entities.sorted() {
        let type = stack.bindings[number - 1].type
        guard let hook = hooks.first(where: { $0.isOverridden(in: type) }) else { continue }
        throw .unsupportedRequest(
          "A batch that \(verb) \(shape.name) does not call \(hook.rawValue), which \(type) overrides. Change objects "
            + "instead, or add skippingHooks() to the batch if that is right here.")
      }
    }
  }

  // MARK: - In the store

  private func executeInStore(
    _ work: StoreBatch.Work, _ fetch: StoreFetch
  ) throws(StoreError) -> BatchOutcome? {
    guard case .parent = saving.place, let root = parent.root else { return nil }
    let batch = StoreBatch(
      work, fetch, durability: durability, author: transactionAuthor, contextName: name)
    guard let answer = try root.execute(batch, sender: ObjectIdentifier(self)) else { return nil }
    return BatchOutcome(effects: answer.effects, notDurable: noteReceipt(answer.receipt))
  }

  /// Notes an accepted batch. Returns the error of a commit that the batch asked for.
  func noteReceipt(_ receipt: SaveReceipt) -> ContextError? {
    if let number = receipt.number { lastSave = number }
    if let order = receipt.order { noteAcceptedSave(order) }
    guard let failure = receipt.commitFailure, let receipt = lastReceipt else { return nil }
    return .notDurable(failure, receipt)
  }

  /// Whether no rule, enum or derived attribute needs the objects.
  private func canUpdateInStore(
    _ assignments: [StoreBatch.Assignment], _ shape: EntityShape
  ) -> Bool {
    let isDerivedFrom = stack.derivedAttributes.contains { derived in
      if derived.derivation == .now { return derived.family.overlaps(shape.family) }
      guard let source = derived.source else { return false }
      return assignments.contains {
        $0.attribute.entity == source.entity && $0.attribute.name == source.name
      }
    }
    guard !isDerivedFrom else { return false }
    return assignments.allSatisfy { assignment in
      if case .constant = assignment.expression { return true }
      return assignment.attribute.description.validation.isEmpty
        && shape.family.allSatisfy { stack.bindings[$0 - 1].enumChecks.isEmpty }
    }
  }

  private func canDeleteInStore(_ reach: DeletionReach) -> Bool {
    !stack.derivesAcrossObjects && !reach.concernsCounts
      && !stack.derivedAttributes.contains { derived in
        reach.changed.contains { derived.family.contains($0) }
      }
  }

  // MARK: - On objects

  private func update(
    _ objects: [ManagedObject], _ assignments: [StoreBatch.Assignment]
  ) throws -> [ManagedObject] {
    try fulfil(objects)
    guard let entity = objects.first?.home.shape else { return [] }
    let root = model.shape(numbered: entity.rootNumber)
    let shapes = try assignments.map { assignment in
      try ExpressionShape(assignment.expression, in: commonShape(of: objects, root), model)
    }
    for object in objects {
      // All expressions read the object as it was before the batch.
      let values = try shapes.map { try $0.value(of: ObjectSubject(object: object)) }
      for (assignment, value) in zip(assignments, values) {
        let name = "\(object.home.shape.name).\(assignment.attribute.name)"
        object.set(
          try BatchAssignment.fitted(value, to: assignment.attribute, name),
          of: assignment.attribute)
      }
    }
    return objects
  }

  /// The lowest entity that all objects have or inherit from.
  private func commonShape(of objects: [ManagedObject], _ root: EntityShape) -> EntityShape {
    var common = objects.first?.home.shape ?? root
    for object in objects {
      while !common.family.contains(object.home.shape.number), common.superNumber > 0 {
        common = model.shape(numbered: common.superNumber)
      }
    }
    return common
  }
}
