// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesLive
import SporadesTesting
import Testing

/// Batches, contexts of threads, and stores that come and go, before the eyes of controllers.
@Suite struct LiveBatchTests {
  /// A kind of store below a stack.
  enum Kind: CaseIterable, Sendable {
    case memory, sqlite, both

    func stack() throws -> DataStack {
      let model = try ManagedObjectModel(League.entities)
      return switch self {
      case .memory: DataStack(store: MemoryStore(model: model), classes: League.entities)
      case .sqlite: DataStack(store: try SQLiteStore(inMemory: model), classes: League.entities)
      case .both: DataStack(store: try Self.coordinator(model), classes: League.entities)
      }
    }

    static func coordinator(_ model: ManagedObjectModel) throws -> PersistentStoreCoordinator {
      let coordinator = PersistentStoreCoordinator(model: model)
      try coordinator.addPersistentStore(MemoryStore(model: model))
      try coordinator.addPersistentStore(SQLiteStore(inMemory: model))
      return coordinator
    }
  }

  private typealias Controller = FetchedResultsController<Player>

  private func texts(_ controller: Controller) -> [String] {
    (controller.fetchedObjects ?? []).map { "\($0.name)\($0.score)" }
  }

  /// The rows of the batches below.
  static var rows: [[String: Any?]] {
    (0..<6).map { (number: Int) in ["name": "p\(number)", "score": number] }
  }

  @Test(arguments: Kind.allCases) func controllersFollowBatches(of kind: Kind) throws {
    let stack = try kind.stack()
    let queue = stack.newContext()
    let controller = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      let controller = Controller(Player.where(\.score > 2).sorted(by: \.score), in: context)
      try controller.performFetch()
      return controller
    }
    func run(_ body: (ManagedObjectContext) throws -> Void) throws -> [String] {
      try stack.newContext().performAndWait(body)
      return queue.performAndWait { _ in texts(controller) }
    }
    #expect(
      try run { _ = try $0.execute(BatchInsertRequest(Player.self, objects: Self.rows)) }
        == ["p33", "p44", "p55"])
    #expect(
      try run { context in
        var request = FetchRequest("Player")
        request.predicate = .compare("score", .less, 2)
        _ = try context.execute(
          BatchUpdateRequest(fetchRequest: request, propertiesToUpdate: ["score": 9]))
      } == ["p33", "p44", "p55", "p09", "p19"])
    #expect(
      try run { _ = try $0.execute(BatchDeleteRequest(Player.where(\.score == 4))) }
        == ["p33", "p55", "p09", "p19"])
  }

  @Test(arguments: Kind.allCases) func aControllerOfAThreadFollowsItsNextFetch(of kind: Kind) throws
  {
    let stack = try kind.stack()
    let context = stack.newThreadContext()
    let controller = Controller(Player.sorted(by: \.name).limit(2), in: context)
    try controller.performFetch()
    Player.make("b", 1, in: context)
    context.processPendingChanges()
    #expect(texts(controller) == ["b1"])
    try context.save()
    try stack.newContext().performAndWait { other in
      for (number, name) in ["a", "c"].enumerated() { Player.make(name, number, in: other) }
      try other.save()
    }
    // A thread's objects stay as they are between two pieces of work.
    #expect(texts(controller) == ["b1"])
    #expect(try Player.all(in: context).count == 3)
    #expect(texts(controller) == ["a0", "b1"])
    try stack.newContext().performAndWait { other in
      _ = try other.execute(BatchDeleteRequest(Player.where(\.name == "a")))
    }
    #expect(try Player.all(in: context).count == 2)
    #expect(texts(controller) == ["b1", "c1"])
  }

  @Test func aControllerShowsTheRowsOfAStoreThatComes() throws {
    let model = try ManagedObjectModel(League.entities)
    let coordinator = try Kind.coordinator(model)
    let stack = DataStack(store: coordinator, classes: League.entities)
    let queue = stack.newContext()
    let controller = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      Player.make("a", in: context)
      try context.save()
      let controller = Controller(Player.sorted(by: \.name), in: context)
      try controller.performFetch()
      return controller
    }
    let added = try Self.filledStore(model)
    try coordinator.addPersistentStore(added)
    // A context meets the rows of a new store when it fetches.
    try queue.performAndWait { _ in try controller.performFetch() }
    #expect(queue.performAndWait { _ in texts(controller) } == ["a0", "z1"])
    try stack.newContext().performAndWait { context in
      let added = try Player.first(where: \.name == "z", in: context)
      try #require(added).score = 5
      try context.save()
    }
    #expect(queue.performAndWait { _ in texts(controller) } == ["a0", "z5"])
    try coordinator.remove(added)
    #expect(queue.performAndWait { _ in texts(controller) } == ["a0"])
  }

  /// A store with the player z.
  static func filledStore(_ model: ManagedObjectModel) throws -> MemoryStore {
    let store = MemoryStore(model: model)
    try DataStack(store: store, classes: League.entities).newContext().performAndWait { context in
      Player.make("z", 1, in: context)
      try context.save()
    }
    return store
  }
}

/// The same before the eyes of a service's observers.
@Suite(.timeLimit(.minutes(60))) struct LiveBatchObservingConcurrencyTests {
  @Test(arguments: LiveBatchTests.Kind.allCases)
  func observersFollowBatches(of kind: LiveBatchTests.Kind) async throws {
    let service = DALService(stack: try kind.stack())
    let high = Follower(
      service.observe(Player.where(\.score > 2).sorted(by: \.score), mapping: { $0.map(\.name) }))
    let all = Follower(service.observe(count: Player.request))
    let groups = Follower(
      service.observe(groups: Player.request.grouped(by: \.score) { $0.count })
        .map { $0.map { [$0.0, $0.1] } })
    await high.wait(for: [])
    _ = try service.execute(BatchInsertRequest(Player.self, objects: LiveBatchTests.rows))
    await high.wait(for: ["p3", "p4", "p5"])
    await all.wait(for: 6)
    var request = FetchRequest("Player")
    request.predicate = .compare("score", .less, 2)
    _ = try await service.execute(
      BatchUpdateRequest(fetchRequest: request, propertiesToUpdate: ["score": 9]))
    await high.wait(for: ["p3", "p4", "p5", "p0", "p1"])
    await groups.wait(for: [[2, 1], [3, 1], [4, 1], [5, 1], [9, 2]])
    _ = try await service.execute(BatchDeleteRequest(Player.where(\.score == 4)))
    await high.wait(for: ["p3", "p5", "p0", "p1"])
    await all.wait(for: 5)
    try service.close()
  }

  @Test func observersFollowStoresThatComeAndGo() async throws {
    let model = try ManagedObjectModel(League.entities)
    let coordinator = try LiveBatchTests.Kind.coordinator(model)
    let service = DALService(stack: DataStack(store: coordinator, classes: League.entities))
    try service.add(["a": 1])
    let names = Follower(
      service.observe(Player.sorted(by: \.name), mapping: { $0.map { "\($0.name)\($0.score)" } }))
    let count = Follower(service.observe(count: Player.where(\.score > 0)))
    let sums = Follower(
      service.observe(groups: Player.request.grouped(by: \.group) { $0.sum(\.score) })
        .map { $0.map(\.1) })
    await names.wait(for: ["a1"])
    await sums.wait(for: [1])
    let added = try LiveBatchTests.filledStore(model)
    try coordinator.addPersistentStore(added)
    await names.wait(for: ["a1", "z1"])
    await count.wait(for: 2)
    await sums.wait(for: [2])
    try service.change("z") { $0.score = 5 }
    await names.wait(for: ["a1", "z5"])
    await sums.wait(for: [6])
    try coordinator.remove(added)
    await names.wait(for: ["a1"])
    await count.wait(for: 1)
    await sums.wait(for: [1])
    try service.close()
  }
}
