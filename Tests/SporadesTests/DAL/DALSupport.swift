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

/// A service that keeps what it was told of.
final class RecordingService: DALService, @unchecked Sendable {
  private let told = Guarded<[DALError]>([])
  private let settled = Guarded<[WriteReceipt]>([])
  /// The writes that came to their end after they were reported as not durable.
  var settlements: [WriteReceipt] { settled.withLock(\.self) }
  override func handleSettlement(_ receipt: WriteReceipt) {
    settled.withLock { $0.append(receipt) }
  }
  override func handleError(_ error: DALError) { told.withLock { $0.append(error) } }

  /// What was told so far, deliveries on the way included.
  var errors: [DALError] {
    flushCompletions()
    return told.withLock { $0 }
  }

  func flushCompletions() {
    let done = DispatchSemaphore(value: 0)
    writeSync { _ in
    } completion: { _ in
      done.signal()
    }
    _ = done.wait(timeout: .now() + 10)
  }

  var errorsSoFar: [DALError] { told.withLock { $0 } }

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

/// Waits until something holds, at most ten seconds.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(300)
  let never = DispatchSemaphore(value: 0)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    _ = never.wait(timeout: .now() + .milliseconds(1))
  }
  return true
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
    for _ in 0..<count where arrived.wait(timeout: .now() + 10) == .timedOut { return false }
    return true
  }
  var all: [DALError?] { results.withLock { $0 } }
}

/// Something opened once and waited for by any number of threads.
final class Latch: Sendable {
  private let group = DispatchGroup()
  init() { group.enter() }
  func open() { group.leave() }
  /// A minute, because a busy machine may take as long to let a test go on that holds others with it.
  @discardableResult func wait() -> Bool { group.wait(timeout: .now() + 60) == .success }
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
  #expect(group.wait(timeout: .now() + 120) == .success)
}

extension DALError {
  /// The name of the code, for comparisons.
  var kind: String { String("\(code)".prefix { $0.isLetter }) }
}
