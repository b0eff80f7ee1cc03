// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting

/// One run of steps on contexts that merge each other's saves, beside the same on plain facts.
///
/// Two contexts over the store merge by themselves, and have others over them. A third one does not
/// merge, and meets conflicts. Changes are made in contexts that have none over them.
final class MergeRun {
  /// A context, its place in the tree, and what it must look like.
  final class Node {
    let name: String
    let queue: ContextQueue
    let parent: Node?
    var children: [Node] = []
    var state = MergeState()

    init(_ name: String, _ queue: ContextQueue, over parent: Node? = nil) {
      (self.name, self.queue, self.parent) = (name, queue, parent)
    }

    var withDescendants: [Node] { [self] + children.flatMap(\.withDescendants) }
  }

  static let (people, badges, dogs, books) = (4, 3, 3, 5)

  private(set) var failures: [String] = []
  private let stack: DataStack
  private let roots: [Node]
  /// A context that does not merge.
  private let stranger: ContextQueue
  private var stored = MergeFacts()
  private var lastName = 0

  private var nodes: [Node] { roots.flatMap(\.withDescendants) }

  init(_ kind: StoreKind) throws {
    stack = try kind.people()
    roots = ["A", "B"].map { [stack] in Node($0, stack.newContext(name: $0)) }
    stranger = stack.newContext(name: "stranger")
    stranger.performAndWait { $0.automaticallyMergesChangesFromParent = false }
    // because relationships in memory have to be merged, too
    roots[0].queue.performAndWait { $0.retainsRegisteredObjects = true }
    try stack.newContext().performAndWait { context in
      for number in 0..<Self.people { Person.make("", age: number, in: context).home = Home() }
      for number in 0..<Self.badges { Badge.create(in: context).code = number }
      for number in 0..<Self.dogs { Dog.create(in: context).weight = number }
      for number in 0..<Self.books { Book.create(in: context).title = "\(number)" }
      try context.save()
    }
    try readStored()
    for node in roots { node.state.base = stored }
  }

  /// What a run of the steps finds wrong first, with the number of steps it took.
  static func firstFailure(_ kind: StoreKind, _ steps: [MergeStep]) -> (step: Int, text: String)? {
    do {
      let run = try MergeRun(kind)
      for (index, step) in steps.enumerated() {
        do { try run.perform(step) } catch { run.fail("\(step) threw \(error)") }
        if let failure = run.failures.first { return (index, failure) }
      }
      return nil
    } catch {
      return (0, "\(error)")
    }
  }

  func fail(_ text: String) { failures.append(text) }

  private func pick(_ nodes: [Node], _ step: MergeStep) -> Node {
    nodes[step.numbers[0] % nodes.count]
  }

  // MARK: - Steps

  func perform(_ step: MergeStep) throws {
    if step.numbers[4] % 6 == 0 { return try performOnStranger(step) }
    let node = pick(nodes, step)
    let leaf = pick(nodes.filter(\.children.isEmpty), step)
    switch step.kind {
    case .save: try save(node)
    case .rollback:
      node.queue.performAndWait { $0.rollback() }
      node.state.discard()
      mergeChildren(of: node)
    case .refresh: node.queue.performAndWait { $0.refreshAllObjects() }
    case .beginChild: beginChild(of: node, step)
    case .dropChild:
      guard let parent = leaf.parent else { return }
      parent.children.removeAll { $0 === leaf }
    default: try leaf.queue.performAndWait { try MergeChange(step, $0).make(&leaf.state) }
    }
    try compareAll()
  }

  private func beginChild(of node: Node, _ step: MergeStep) {
    guard nodes.count < 6 else { return }
    lastName += 1
    let child = Node("\(node.name)\(lastName)", stack.newChild(of: node.queue), over: node)
    child.queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      context.retainsRegisteredObjects = step.numbers[1] % 2 == 0
    }
    child.state.base = node.state.shown
    node.children.append(child)
  }

  private func save(_ node: Node) throws {
    try node.queue.performAndWait { try $0.save() }
    if let parent = node.parent {
      parent.state.take(node.state)
      node.state.discard()
      mergeChildren(of: parent)
    } else {
      stored = node.state.shown
      mergeStored()
      try expectOrders(of: node)
    }
  }

  private func mergeStored() {
    for root in roots {
      root.state.merge(stored)
      mergeChildren(of: root)
    }
  }

  private func mergeChildren(of node: Node) {
    for child in node.children {
      child.state.merge(node.state.shown)
      mergeChildren(of: child)
    }
  }

  /// A change, or a save that may meet a conflict. What is stored afterwards is read.
  private func performOnStranger(_ step: MergeStep) throws {
    let policies: [MergePolicy] = [.error, .objectTrump, .storeTrump]
    try stranger.performAndWait { context in
      guard step.kind == .save || step.kind == .rollback else {
        var state = MergeState()
        return try MergeChange(step, context).make(&state)
      }
      context.mergePolicy = policies[step.numbers[1] % policies.count]
      do { try context.save() } catch let error as StoreError where !error.mergeConflicts.isEmpty {
        context.rollback()
        context.reset()
      }
    }
    try readStored()
    mergeStored()
    try compareAll()
  }

  private func readStored() throws {
    stored = try facts(of: stack.newContext(), "the store")
  }

  // MARK: - Checks

  private func facts(of queue: ContextQueue, _ name: String) throws -> MergeFacts {
    var found: [String] = []
    let facts = try queue.performAndWait { try MergeFacts($0, &found) }
    failures += found.map { "\(name): \($0)" }
    return facts
  }

  private func compareAll() throws {
    compare(try facts(of: stack.newContext(), "the store"), stored, "the store")
    for node in nodes {
      compare(try facts(of: node.queue, node.name), node.state.shown, node.name)
    }
  }

  private func compare(_ actual: MergeFacts, _ expected: MergeFacts, _ name: String) {
    for slot in Set(actual.slots.keys).union(expected.slots.keys).sorted()
    where actual.slots[slot] != expected.slots[slot] {
      let (one, other) = (actual.slots[slot], expected.slots[slot])
      fail("\(name): \(slot) is \(one as Any), not \(other as Any)")
    }
    let differing = actual.links.symmetricDifference(expected.links).sorted()
    if !differing.isEmpty { fail("\(name): links \(differing)") }
  }

  /// After a save, the orders of the context are the stored ones.
  private func expectOrders(of node: Node) throws {
    func orders(_ queue: ContextQueue) throws -> [[String]] {
      try queue.performAndWait { context in
        try Person.all(sortedBy: \.age, in: context)
          .map { $0.shelf.map(\.title) + ["|"] + $0.reads.map(\.title) }
      }
    }
    let (shown, fresh) = (try orders(node.queue), try orders(stack.newContext()))
    if shown != fresh { fail("\(node.name): orders \(shown), stored \(fresh)") }
  }
}
