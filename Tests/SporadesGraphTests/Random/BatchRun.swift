// SPDX-License-Identifier: MIT
import Sporades
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting

/// One run of random steps on two stores: batches on the first, and on the second the same by objects and saves.
/// Contexts over both listen, and hold unsaved changes of the same rows.
final class BatchRun {
  /// A stack and the contexts that listen to it.
  struct Side {
    let stack: DataStack
    let listeners: [Listener]
    /// The number of each object, by its id. Ids differ between the sides.
    var numbers: [ManagedObjectID: String] = [:]
  }

  /// A context, and the ids in its notifications of merges. Only its queue uses the ids.
  final class Listener {
    let queue: ContextQueue
    var heard: [ObjectIDChanges] = []
    private var observation: ContextObservation?

    init(_ queue: ContextQueue) {
      self.queue = queue
      observation = queue.performAndWait { context in
        context.mergePolicy = .objectTrump
        context.retainsRegisteredObjects = true
        return context.observe { [unowned self] change in
          guard change.notification.name == .didMergeChanges else { return }
          heard.append(change.notification.ids)
        }
      }
    }

    func takeHeard() -> [ObjectIDChanges] {
      queue.performAndWait { _ in
        defer { heard = [] }
        return heard
      }
    }
  }

  private(set) var failures: [String] = []
  private var sides: [Side]
  private var lastNumber = 0
  static let entities = ["Ware", "Aisle", "Opinion", "Sticker", "Maker", "Tally"]

  init(_ kinds: [StoreKind]) throws {
    sides = try kinds.map { kind in
      let stack = try kind.depot()
      let listeners = (0..<2).map { Listener(stack.newContext(name: "listener \($0)")) }
      return Side(stack: stack, listeners: listeners)
    }
  }

  /// What the run of a seed finds wrong first; nil if nothing is.
  static func firstFailure(_ kinds: [StoreKind], seed: UInt64, steps: Int) throws -> String? {
    let run = try BatchRun(kinds)
    var random = SeededGenerator(seed: seed)
    for number in 0..<steps {
      let step = BatchStep(&random)
      try run.perform(step)
      if let failure = run.failures.first {
        return "seed \(seed), step \(number), \(step): \(failure)"
      }
    }
    return nil
  }

  func perform(_ step: BatchStep) throws {
    if step.kind == .populate { lastNumber += 10 }
    for index in sides.indices { try noteNumbers(index) }
    var errors: [String] = []
    for (index, side) in sides.enumerated() {
      do {
        try perform(step, side, byBatch: index == 0)
        errors.append("")
      } catch {
        errors.append(Self.name(of: error))
      }
    }
    if errors[0] != errors[1] { failures.append("errors \(errors)") }
    try compare(step)
  }

  private static func name(of error: any Error) -> String {
    switch error {
    case let error as ValidationError: "\(Set(error.failures.map { "\($0.code)" }).sorted())"
    case let error as StoreError: "\(error.code)"
    // A batch deletes in the order of keys, and objects are deleted in the order of the fetch.
    case ContextError.several(let errors): "\(errors.map { "\($0)" }.sorted())"
    default: "\(error)"
    }
  }

  private func perform(_ step: BatchStep, _ side: Side, byBatch: Bool) throws {
    switch step.kind {
    case .populate:
      try side.stack.saving { try step.populate($0, from: lastNumber) }
    case .changeListener:
      try side.listeners[step.numbers[0] % 2].queue.performAndWait { try step.change($0) }
    case .saveListener:
      try side.listeners[step.numbers[0] % 2].queue.performAndWait { context in
        do { try context.save() } catch {
          context.rollback()
          throw error
        }
      }
    case .update, .delete, .insert:
      lastNumber += step.kind == .insert && byBatch ? 3 : 0
      try side.stack.newContext().performAndWait { context in
        if byBatch { return try step.runBatch(context, lastNumber) }
        try step.runObjects(context, lastNumber)
        try context.save()
      }
    }
  }

  // MARK: - Comparing

  private func noteNumbers(_ index: Int) throws {
    let pairs = try sides[index].stack.newContext().performAndWait { context in
      try Self.entities.flatMap { entity in
        try context.fetch(FetchRequest(entity)).map { ($0.objectID, Self.name(of: $0)) }
      }
    }
    for (id, name) in pairs { sides[index].numbers[id] = name }
  }

  private func compare(_ step: BatchStep) throws {
    var dumps: [[String]] = []
    for index in sides.indices {
      try noteNumbers(index)
      let side = sides[index]
      var lines = try side.stack.newContext().performAndWait { try Self.dump($0) }
      lines += try Self.entities.map {
        "\($0) \(try side.stack.versions(of: $0).sorted { $0.key < $1.key })"
      }
      for (number, listener) in side.listeners.enumerated() {
        let seen = try listener.queue.performAndWait { try Self.dump($0) }
        lines += seen.map { "listener \(number): \($0)" }
        lines += listener.takeHeard().map { "listener \(number) heard \(describe($0, side))" }
      }
      lines += try side.stack.store.integrityProblems()
      dumps.append(lines)
    }
    for (one, two) in zip(dumps[0], dumps[1]) where one != two {
      failures.append("batch: \(one)\nobjects: \(two)")
    }
    if dumps[0].count != dumps[1].count {
      failures.append("batch \(dumps[0].suffix(5))\nobjects \(dumps[1].suffix(5))")
    }
  }

  private func describe(_ ids: ObjectIDChanges, _ side: Side) -> String {
    func names(_ ids: Set<ManagedObjectID>) -> [String] {
      ids.map { side.numbers[$0] ?? "?" }.sorted()
    }
    return "inserted \(names(ids.insertedObjectIDs)) updated \(names(ids.updatedObjectIDs)) "
      + "deleted \(names(ids.deletedObjectIDs))"
  }

  private static func name(of object: ManagedObject) -> String {
    "\(object.entity.name) \(object.value(forKey: "number"))"
  }

  /// A line for each object: its values and the numbers of its linked objects.
  private static func dump(_ context: ManagedObjectContext) throws -> [String] {
    try entities.flatMap { entity in
      let terms = [SortTerm("number")]
      return try context.fetch(FetchRequest(entity, sortedBy: terms)).map { object in
        let values = object.entity.attributes.map { "\($0.name)=\(object.value(forKey: $0.name))" }
        let links = object.entity.relationships.map { relationship -> String in
          guard relationship.isToMany else {
            return
              "\(relationship.name)=\(object.object(forKey: relationship.name).map(name) ?? "-")"
          }
          let names = object.objects(forKey: relationship.name).map(name)
          return "\(relationship.name)=\(relationship.isOrdered ? names : names.sorted())"
        }
        return "\(name(of: object)) \(values) \(links) \(object.hasChanges)"
      }
    }
  }
}
