// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// The stores that every behaviour of the graph is shown on.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite
  /// SQLite, with two contexts between it and the one that is asked.
  case nested
  /// PostgreSQL, where somebody asks for it.
  case server

  static let allCases: [StoreKind] = [.memory, .sqlite] + (TestServer.isAsked ? [.server] : [])
  static let atEveryDepth: [StoreKind] = allCases + [.nested]

  var testDescription: String {
    switch self {
    case .memory: "memory"
    case .sqlite: "SQLite"
    case .nested: "SQLite, two contexts down"
    case .server: "PostgreSQL"
    }
  }

  func store(_ model: ManagedObjectModel) throws -> any PersistentStore {
    switch self {
    case .memory: MemoryStore(model: model)
    case .sqlite, .nested: try SQLiteStore(inMemory: model)
    case .server: try TestStore().open(model)
    }
  }

  /// The digits of dates that the store keeps.
  var datePrecision: DatePrecision { self == .server ? .microseconds : .exact }

  func stack(_ model: ManagedObjectModel) throws -> DataStack { DataStack(store: try store(model)) }

  /// A stack over the people's model.
  func people() throws -> DataStack {
    DataStack(store: try store(People.model), classes: People.classes)
  }
}

extension StoreKind {
  /// A stack over one entity with an attribute of every type.
  func kinds() throws -> DataStack {
    DataStack(store: try store(ManagedObjectModel([Kinds.self])), classes: [Kinds.self])
  }
}

extension DataStack {
  /// A context of its own, at the kind's depth.
  func context(_ kind: StoreKind) -> ContextQueue {
    let context = newContext()
    return kind == .nested ? newChild(of: newChild(of: context)) : context
  }

  /// A context over the store, one over that, and so on.
  func chain(depth: Int) -> [ContextQueue] {
    var queues = [newContext()]
    for _ in 1..<depth { queues.append(newChild(of: queues[queues.count - 1])) }
    return queues
  }
}

/// A folder that is gone after the test.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "sporades-graph-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

extension DataStack {
  /// Changes a person in another context, and saves it.
  func saveBeside(_ id: ManagedObjectID, _ change: (Person) -> Void) throws {
    try newContext().performAndWait { context in
      let person = try context.existingObject(with: id) as? Person
      change(try #require(person))
      try context.save()
    }
  }
}

/// Runs each block on a thread of its own and returns when all are done.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread {
      body(number)
      group.leave()
    }.start()
  }
  #expect(group.wait(timeout: .now() + 120) == .success)
}

extension StoreKind {
  /// Runs `body` in a new context over an empty store.
  func withPeople(_ body: (ManagedObjectContext) -> Void) {
    do {
      try people().context(self).performAndWait { body($0) }
    } catch {
      Issue.record(error)
    }
  }
}
