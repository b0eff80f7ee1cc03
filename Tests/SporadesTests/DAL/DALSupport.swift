// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity final class Member: ManagedObject {
  var firstname: String?
  var lastname: String?
  @Attribute(.unique) var badge: String?
  @Attribute(.length(1...8)) var nickname: String?
  var count: Int = 0
  @Relationship(inverse: \Animal.owner) var animals: Set<Animal>
}

@Entity final class Animal: ManagedObject {
  var name: String?
  var owner: Member?
}

/// A service that keeps its errors and its settled receipts.
final class RecordingService: DALService, @unchecked Sendable {
  private let handled = Guarded<[DALError]>([])
  private let settled = Guarded<[WriteReceipt]>([])
  /// The writes that were committed or lost after they were reported as not durable.
  var settlements: [WriteReceipt] { settled.withLock(\.self) }
  override func handleSettlement(_ receipt: WriteReceipt) {
    settled.withLock { $0.append(receipt) }
  }
  override func handleError(_ error: DALError) { handled.withLock { $0.append(error) } }

  /// The errors so far, after every delivery on its way has arrived.
  var errors: [DALError] {
    flushCompletions()
    return handled.withLock { $0 }
  }

  func flushCompletions() {
    let done = DispatchSemaphore(value: 0)
    writeSync { _ in
    } completion: { _ in
      done.signal()
    }
    #expect(done.wait(timeout: .now() + patience) == .success)
  }

  var errorsSoFar: [DALError] { handled.withLock { $0 } }

  static func inMemory(_ change: (inout Options) -> Void = { _ in }) -> RecordingService {
    RecordingService(inMemory: [Member.self], options: options(change))
  }

  static func at(
    _ url: URL, _ change: (inout Options) -> Void = { _ in }
  ) -> RecordingService {
    RecordingService(sqlite: url, entities: [Member.self], options: options(change))
  }

  static func over(
    _ store: any PersistentStore, _ change: (inout Options) -> Void = { _ in }
  ) -> RecordingService {
    RecordingService(
      stack: DataStack(store: store, classes: [Member.self]), options: options(change))
  }

  static func options(_ change: (inout Options) -> Void) -> Options {
    var options = Options()
    options.reactor = nil
    change(&options)
    return options
  }

  var memberCount: Int { (try? readValue { try Member.count(in: $0) }) ?? -1 }
}

extension ManagedObjectModel {
  static var members: ManagedObjectModel {
    get throws { try ManagedObjectModel([Member.self]) }
  }
}

final class TemporaryFolder: Sendable {
  let url: URL
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }
  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// The longest wait of a test, in seconds. A test may wait for all others before a thread has time for its next step.
private let patience = 3_600.0

/// Blocks until the condition holds; returns false if the patience ends first.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(patience)
  let never = DispatchSemaphore(value: 0)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    _ = never.wait(timeout: .now() + .milliseconds(1))
  }
  return true
}

/// Runs tasks on a thread that no other test holds. Tests block the few threads that tasks share, so a
/// test that blocks prefers this executor for each task that it waits for.
final class OwnThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "test.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    // Unsafe because a job runs once: the queue runs each block once, and keeps the executor alive until then.
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Counts calls and lets a test wait for them.
final class Calls: Sendable {
  private let results = Guarded<[DALError?]>([])
  private let arrived = DispatchSemaphore(value: 0)

  var completion: @Sendable (DALError?) -> Void {
    { error in
      self.results.withLock { $0.append(error) }
      self.arrived.signal()
    }
  }
  func wait(_ count: Int = 1) -> Bool {
    for _ in 0..<count where arrived.wait(timeout: .now() + patience) == .timedOut { return false }
    return true
  }
  var all: [DALError?] { results.withLock { $0 } }
}

/// A gate that opens once and stays open. Any number of threads wait for it.
final class Latch: Sendable {
  private let group = DispatchGroup()
  init() { group.enter() }
  func open() { group.leave() }
  /// Returns false if the patience ends first.
  @discardableResult func wait() -> Bool { group.wait(timeout: .now() + patience) == .success }
}

/// Runs each block on a thread of its own and returns when all are done.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    let thread = Thread {
      body(number)
      group.leave()
    }
    thread.start()
  }
  #expect(group.wait(timeout: .now() + patience) == .success)
}

extension DALError {
  /// The name of the code, for comparisons.
  var kind: String { String("\(code)".prefix { $0.isLetter }) }
}
