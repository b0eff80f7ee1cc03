// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesTesting

/// One run of steps on contexts beside the same on dictionaries, and what differed.
///
/// A writer over the store changes things, or a context over it, or one over that. A sibling saves at
/// once, whether the writer has changes or not; it alone renames people.
final class GraphRun {
  /// A context, and what it must look like.
  struct Level {
    let queue: ContextQueue
    var plain: PlainGraph
    /// Others deleted a book that has another keeper here. The next save says so, once.
    var hasLostKeeper = false
  }

  private(set) var failures: [String] = []
  let stack: DataStack
  let sibling: ContextQueue
  /// The writer and the contexts over it; the last one is worked on.
  var levels: [Level]
  var stored = PlainGraph()
  var lastNumber = 0
  /// What can be undone and redone: the writer before and after each group.
  var undone: [Change] = []
  var done: [Change] = []

  struct Change {
    var before: PlainGraph
    var after: PlainGraph
  }

  init(_ kind: StoreKind) throws {
    stack = try kind.people()
    sibling = stack.newContext(name: "sibling")
    let writer = stack.newContext(name: "writer")
    writer.performAndWait { context in
      context.undoManager = ContextUndoManager()
      // a unique value that others took meanwhile is theirs
      context.mergePolicy = .objectTrump
    }
    levels = [Level(queue: writer, plain: PlainGraph())]
  }

  /// What a run of the steps finds wrong first, with the number of steps it took.
  static func firstFailure(_ kind: StoreKind, _ steps: [GraphStep]) -> (step: Int, text: String)? {
    do {
      let run = try GraphRun(kind)
      for (index, step) in steps.enumerated() {
        do { try run.perform(step) } catch { run.fail("\(step) threw \(error)") }
        if let failure = run.failures.first { return (index, failure) }
      }
      return nil
    } catch {
      return (0, "\(error)")
    }
  }

  /// The fewest steps found that fail still, for whatever reason.
  static func shrunk(_ kind: StoreKind, _ steps: [GraphStep]) -> [GraphStep] {
    SporadesGraphTests.shrunk(steps) { firstFailure(kind, $0)?.step }
  }

  func fail(_ text: String) { failures.append(text) }

  // MARK: - Steps

  func perform(_ step: GraphStep) throws {
    switch step.kind {
    case .beginChild, .saveChild, .dropChild: try changeLevel(step)
    case .save, .rollback, .reset, .refresh, .refreshOne, .undo, .redo: try manage(step)
    case .otherRenames, .otherAddsDog, .otherDropsBook, .otherMakesClub:
      try changeBeside(step)
    case .conflict: try meet(step)
    case .leaveClubs: try leaveClubs()
    case .fetch: try fetch(step)
    default: try change(step)
    }
    let level = levels[levels.count - 1]
    try compare(level.queue, level.plain, "level \(levels.count - 1)")
    if step.numbers[3] % 4 == 0 { try compare(sibling, stored, "sibling") }
  }

  private func changeLevel(_ step: GraphStep) throws {
    let top = levels[levels.count - 1]
    switch step.kind {
    case .beginChild:
      guard levels.count < 4 else { return }
      let child = stack.newChild(of: top.queue)
      child.performAndWait { $0.automaticallyMergesChangesFromParent = true }
      levels.append(Level(queue: child, plain: top.plain))
    case .saveChild:
      guard levels.count > 1 else { return }
      try save(level: levels.count - 1)
      let parent = levels.count - 2
      levels[parent].plain = top.plain
      // a context that has saved may go on
      if step.numbers[0] % 3 > 0 { levels.removeLast() }
      if parent == 0 { forgetUndo() }
      try compare(levels[parent].queue, top.plain, "parent")
    default:
      guard levels.count > 1 else { return }
      levels.removeLast()
      try compare(levels[levels.count - 1].queue, levels[levels.count - 1].plain, "parent")
    }
  }

  func save(level: Int) throws {
    try levels[level].queue.performAndWait { context in
      if levels[level].hasLostKeeper {
        levels[level].hasLostKeeper = false
        do {
          try context.save()
          fail("nobody heard of a keeper that is lost")
        } catch ContextError.objectGone {} catch ContextError.several {}
      }
      try context.save()
    }
  }

  func forgetUndo() {
    levels[0].queue.performAndWait { $0.undoManager?.removeAllActions() }
    (done, undone) = ([], [])
  }

  // MARK: - Checks

  func compare(_ queue: ContextQueue, _ expected: PlainGraph, _ name: String) throws {
    var found: [String] = []
    let actual = try queue.performAndWait { context in
      checkChanges(context, &found)
      if queue === levels[0].queue { checkOwners(context, expected, &found) }
      return try PlainGraph(context, &found)
    }
    failures += found.map { "\(name): \($0)" }
    guard actual != expected else { return }
    for key in Set(actual.people.keys).union(expected.people.keys).sorted()
    where actual.people[key] != expected.people[key] {
      fail("\(name): \(key) is \(actual.people[key] as Any), not \(expected.people[key] as Any)")
    }
    if actual.dogs != expected.dogs { fail("\(name): dogs \(actual.dogs), not \(expected.dogs)") }
    if actual.books != expected.books { fail("\(name): books") }
    if actual.clubs != expected.clubs {
      fail("\(name): clubs \(actual.clubs), not \(expected.clubs)")
    }
  }

  /// People whose members are not those of the last save count as changed.
  private func checkOwners(
    _ context: ManagedObjectContext, _ expected: PlainGraph, _ found: inout [String]
  ) {
    let updated = Set(context.updatedObjects.compactMap { ($0 as? Person)?.age })
    for (number, human) in expected.people {
      guard let former = stored.people[number], !updated.contains(number) else { continue }
      let pairs = [
        ("dogs", Set(expected.dogs(of: number)) == Set(stored.dogs(of: number))),
        ("children", Set(expected.children(of: number)) == Set(stored.children(of: number))),
        ("shelf", human.shelf == former.shelf), ("friends", human.friends == former.friends),
        ("reads", Set(human.reads) == Set(former.reads)),
      ]
      for (name, isSame) in pairs where !isSame {
        found.append("\(number) has other \(name) and is not updated")
      }
    }
  }

  /// Each changed object is in one set of changes, and is what the set says.
  private func checkChanges(_ context: ManagedObjectContext, _ found: inout [String]) {
    let (inserted, updated) = (context.insertedObjects, context.updatedObjects)
    let deleted = context.deletedObjects
    if !inserted.isDisjoint(with: deleted) || !inserted.isDisjoint(with: updated)
      || !updated.isDisjoint(with: deleted)
    {
      found.append("an object is in two sets of changes")
    }
    if inserted.contains(where: { !$0.isInserted || $0.isDeleted || $0.isFault }) {
      found.append("an inserted object is none")
    }
    if deleted.contains(where: { !$0.isDeleted }) { found.append("a deleted object is not") }
    let isEmpty = inserted.isEmpty && updated.isEmpty && deleted.isEmpty
    if context.hasChanges == isEmpty { found.append("changes are there and not there") }
    for object in inserted.union(updated) where object.managedObjectContext !== context {
      found.append("a changed object lives elsewhere")
    }
  }
}
