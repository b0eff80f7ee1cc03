// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

// What is done with a whole context, and what others do beside it.
extension GraphRun {
  private var writer: ContextQueue { levels[0].queue }
  /// Steps of the writer itself wait until the contexts over it are gone.
  private var isWriterOnTop: Bool { levels.count == 1 }

  func manage(_ step: GraphStep) throws {
    let top = levels[levels.count - 1].queue
    if step.kind == .refresh { return top.performAndWait { $0.refreshAllObjects() } }
    guard isWriterOnTop else { return }
    switch step.kind {
    case .save:
      try save(level: 0)
      try expectStored()
    case .rollback:
      writer.performAndWait { $0.rollback() }
      levels[0].plain = stored
      levels[0].hasLostKeeper = false
      (done, undone) = ([], [])
      if writer.performAndWait({ $0.hasChanges }) { fail("changes after a rollback") }
    case .reset:
      guard writer.performAndWait({ !$0.hasChanges }) else { return }
      writer.performAndWait { $0.reset() }
      levels[0].hasLostKeeper = false
      (done, undone) = ([], [])
    case .refreshOne: try refreshOne(step)
    case .undo:
      guard let change = done.popLast() else { return }
      writer.performAndWait { $0.undo() }
      levels[0].plain = change.before
      undone.append(change)
    default:
      guard let change = undone.popLast() else { return }
      writer.performAndWait { $0.redo() }
      levels[0].plain = change.after
      done.append(change)
    }
  }

  private func expectStored() throws {
    stored = levels[0].plain
    if writer.performAndWait({ $0.hasChanges }) { fail("changes after a save") }
    try compare(stack.newContext(), stored, "fresh")
    let expected = stored
    let wrong = try sibling.performAndWait { context in
      try Person.all(in: context).filter { $0.dogCount != expected.dogs(of: $0.age).count }
        .map(\.age) + Dog.all(in: context).filter { $0.ownerName != $0.owner?.name }.map(\.weight)
    }
    if !wrong.isEmpty { fail("derived values of \(wrong)") }
  }

  /// Forgets the changes of an object that was changed in nothing but its values.
  private func refreshOne(_ step: GraphStep) throws {
    guard let who = step.pick(0, stored.people.keys), let now = levels[0].plain.people[who],
      var former = stored.people[who]
    else { return }
    let zip = former.zip
    former.zip = now.zip
    guard former == now else { return }
    try writer.performAndWait { context in
      guard let object = try person(who, context) else { return }
      context.refresh(object, mergeChanges: false)
    }
    levels[0].plain.people[who]?.zip = zip
    forgetUndo()
  }

  // MARK: - What others save

  /// Does the same in the store and in every context that merges it.
  private func everywhere(_ change: (inout PlainGraph) -> Void) {
    change(&stored)
    for index in levels.indices { change(&levels[index].plain) }
    for index in done.indices {
      change(&done[index].before)
      change(&done[index].after)
    }
    for index in undone.indices {
      change(&undone[index].before)
      change(&undone[index].after)
    }
  }

  func changeBeside(_ step: GraphStep) throws {
    lastNumber += 1
    let new = lastNumber
    switch step.kind {
    case .otherRenames:
      guard let who = step.pick(0, stored.people.keys) else { return }
      let name = "name \(step.numbers[1])"
      try saveBeside(step) {
        try person(who, $0)?.name = name
      } orBatch: {
        _ = try $0.execute(Person.where(\.age == who).update(\.name, to: name))
      }
      everywhere { $0.people[who]?.name = name }
      // once saved, a deletion brings back what was known when it was made
      if levels[0].plain.people[who] == nil { forgetUndo() }
    case .otherAddsDog:
      guard stored.dogs.count < 10, let who = step.pick(0, stored.people.keys) else { return }
      try saveBeside { context in
        let dog = Dog.create(in: context)
        dog.weight = new
        dog.owner = try person(who, context)
      }
      // where the owner is deleted, the dog is deleted with it
      everywhere { if $0.people[who] != nil { $0.dogs[new] = .some(who) } }
      forgetUndo()
    case .otherDropsBook:
      guard let victim = step.pick(0, stored.books) else { return }
      try saveBeside(step) {
        $0.delete(try book(victim, $0))
      } orBatch: {
        _ = try $0.execute(Book.where(\.title == "\(victim)").delete())
      }
      noteLostKeepers(of: victim)
      everywhere { $0.delete(book: victim) }
      forgetUndo()
    default:
      let club = 1 + step.numbers[0] % 3
      guard !stored.clubs.contains(club) else { return }
      try saveBeside(step) {
        Club.create(in: $0).name = "\(club)"
      } orBatch: {
        _ = try $0.execute(BatchInsertRequest(Club.self, objects: [["name": "\(club)"]]))
      }
      everywhere { $0.clubs.insert(club) }
      forgetUndo()
    }
  }

  /// Notes the contexts that gave the book another keeper than the context below them.
  private func noteLostKeepers(of book: Int) {
    for index in levels.indices {
      let below = index == 0 ? stored : levels[index - 1].plain
      guard let keeper = levels[index].plain.keeper(of: book), keeper != below.keeper(of: book)
      else { continue }
      levels[index].hasLostKeeper = true
    }
  }

  /// Changes objects beside the writer and saves them, or does the same by a batch.
  private func saveBeside(
    _ step: GraphStep, _ body: (ManagedObjectContext) throws -> Void,
    orBatch batch: (ManagedObjectContext) throws -> Void
  ) throws {
    if step.numbers[2] % 2 == 0 { return try saveBeside(body) }
    try sibling.performAndWait(batch)
  }

  private func saveBeside(_ body: (ManagedObjectContext) throws -> Void) throws {
    try sibling.performAndWait { context in
      try body(context)
      try context.save()
    }
  }

  // MARK: - Conflicts

  /// Both sides change one person in one block, so that nothing is merged before the save.
  func meet(_ step: GraphStep) throws {
    guard isWriterOnTop, !levels[0].hasLostKeeper,
      let who = step.pick(0, stored.people.keys), levels[0].plain.people[who] != nil,
      // another name changes their derived values, and a changed row may win over its deletion
      stored.dogs(of: who).allSatisfy({ levels[0].plain.dogs[$0] != nil })
    else { return }
    let policies: [MergePolicy] = [.error, .storeTrump, .objectTrump, .overwrite, .rollback]
    var kind = step.numbers[1] % policies.count
    // giving up all changes of an object is easily foretold only where there are no others
    if kind == 4 && levels[0].plain != stored { kind = 1 }
    lastNumber += 1
    // new each time: a value that is there already is no change, and meets nothing
    let (mine, theirs) = (1_000_000 + lastNumber, 100 + lastNumber)
    let name = "met \(lastNumber)"
    var refused = false
    let former = levels[0].plain.people[who]?.name ?? ""
    try writer.performAndWait { context in
      try person(who, context)?.home?.zip = mine
      if try person(who, context)?.home == nil { try person(who, context)?.home = Home(zip: mine) }
      try saveBeside { other in
        let person = try person(who, other)
        person?.home = Home(city: "theirs", zip: theirs)
        person?.name = name
      }
      context.mergePolicy = policies[kind]
      defer { context.mergePolicy = .objectTrump }
      do { try context.save() } catch let error as StoreError where kind == 0 {
        refused = !error.mergeConflicts.isEmpty || !error.constraintConflicts.isEmpty
      }
    }
    if refused != (kind == 0) { fail("a conflict that was not one") }
    stored.people[who]?.zip = theirs
    stored.people[who]?.name = name
    levels[0].plain.people[who]?.zip = [mine, theirs, mine, mine, theirs][kind]
    levels[0].plain.people[who]?.name = kind == 3 ? former : name
    forgetUndo()
    if !refused { try expectStored() }
  }

  /// A club that has members can not be deleted, and one without can.
  func leaveClubs() throws {
    guard isWriterOnTop, levels[0].plain == stored, !levels[0].hasLostKeeper,
      writer.performAndWait({ !$0.hasChanges })
    else { return }
    for club in stored.clubs.sorted() {
      let isUsed = stored.people.values.contains { $0.club == club }
      var denied = false
      try writer.performAndWait { context in
        for object in try Club.all("name", equalTo: "\(club)", in: context) {
          context.delete(object)
        }
        do { try context.save() } catch is ValidationError {
          denied = true
          context.rollback()
        }
      }
      if denied != isUsed { fail("club \(club) was \(denied ? "kept" : "deleted")") }
      if !denied {
        stored.clubs.remove(club)
        levels[0].plain.clubs.remove(club)
      }
    }
    forgetUndo()
  }
}
