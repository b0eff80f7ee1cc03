// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

// Requests that a timeout or a cancellation stops while the store reads.
struct StoppedReadTests {
  private let folder: TemporaryFolder
  private let service: RecordingService
  private var stack: DataStack { get throws { try service.stack() } }

  init() throws {
    folder = try TemporaryFolder()
    service = .at(folder.file("store.sqlite"))
    let write = service.writeSync { context in
      let owner = Member.create(in: context)
      for _ in 0..<2_000 { Animal.create(in: context).owner = owner }
    }
    #expect(write.failure == nil)
  }

  /// A request that takes many minutes: it looks at each triple of animals.
  private var endless: FetchRequest {
    FetchRequest(
      "Animal",
      where: .comparison(
        .init(
          .keyPath("owner.animals.owner.animals.name"), .contains, .constant(.string("z")),
          quantifier: .any)))
  }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as StoreError {
      return error.code
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test func aRequestEndsAtItsTimeout() throws {
    var request = endless
    request.timeout = .milliseconds(20)
    try stack.main.performAndWait { context throws in
      #expect(code { _ = try context.fetch(request) } == .timedOut)
      #expect(code { _ = try context.fetchIDs(request) } == .timedOut)
      #expect(code { _ = try context.count(request) } == .timedOut)
      #expect(try context.count(FetchRequest("Animal")) == 2_000)
    }
  }

  @Test func aContextLimitsItsFetchesAndARequestGoesFirst() throws {
    try stack.newContext().performAndWait { context throws in
      context.fetchTimeout = .milliseconds(20)
      #expect(code { _ = try context.fetch(endless) } == .timedOut)
      context.fetchTimeout = .seconds(100_000)
      var request = endless
      request.timeout = .milliseconds(20)
      #expect(code { _ = try context.fetch(request) } == .timedOut)
    }
  }

  @Test func theErrorNamesTheTimeAndTheRemedy() throws {
    var request = endless
    request.timeout = .milliseconds(20)
    let error = #expect(throws: StoreError.self) {
      try stack.main.performAndWait { try $0.fetch(request) }
    }
    let text = "\(try #require(error))"
    #expect(text.contains("0.02 seconds"))
    #expect(text.contains("explain"))
  }

  @Test func anotherThreadCancelsARunningFetch() throws {
    let cancellation = Cancellation()
    let begins = Latch()
    let helper = Thread {
      begins.wait()
      cancellation.cancel()
    }
    helper.start()
    try stack.main.performAndWait { context throws in
      begins.open()
      #expect(code { try cancellation.run { _ = try context.fetch(endless) } } == .cancelled)
      #expect(
        code { try cancellation.run { _ = try context.count(FetchRequest("Animal")) } }
          == .cancelled)
      #expect(try context.count(FetchRequest("Animal")) == 2_000)
    }
  }

  @Test func aCancelledTaskStopsTheReadOfAService() async throws {
    let begins = Latch()
    let (service, endless) = (service, endless)
    let reading = Task(executorPreference: OwnThreadExecutor()) {
      try await service.read { context in
        begins.open()
        return try context.count(endless)
      }
    }
    begins.wait()
    reading.cancel()
    let error = await #expect(throws: DALError.self) { try await reading.value }
    guard case .cancelled = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(service.errors.isEmpty)
    #expect(try await service.read { try $0.count(FetchRequest("Animal")) } == 2_000)
  }

  @Test func aCancelledTaskStopsTheFetchOfAContext() async throws {
    let begins = Latch()
    let (queue, endless) = (try stack.newContext(), endless)
    let fetching = Task(executorPreference: OwnThreadExecutor()) {
      try await queue.perform { context in
        begins.open()
        return try context.count(endless)
      }
    }
    begins.wait()
    fetching.cancel()
    let error = await #expect(throws: StoreError.self) { try await fetching.value }
    #expect(error?.code == .cancelled)
  }

  @Test func noCancellationInterruptsASave() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    try stack.newContext().performAndWait { context throws in
      Member.create(in: context)
      try cancellation.run { try context.save() }
    }
    let write = cancellation.run { service.writeSync { Member.create(in: $0) } }
    #expect(write.failure == nil)
    #expect(service.memberCount == 3)
  }

  @Test func unsavedChangesAreStoppedToo() throws {
    try stack.newContext().performAndWait { context throws in
      Animal.create(in: context)
      var request = FetchRequest("Animal")
      let cancellation = Cancellation()
      cancellation.cancel()
      #expect(code { try cancellation.run { _ = try context.fetch(request) } } == .cancelled)
      request.includesPendingChanges = false
      #expect(code { try cancellation.run { _ = try context.fetch(request) } } == .cancelled)
      #expect(try context.fetch(request).count == 2_000)
    }
  }

  @Test func aStoreInMemoryStopsBetweenTwoRows() throws {
    let stack = DataStack(store: MemoryStore(model: try .members), classes: [Member.self])
    try stack.main.performAndWait { context throws in
      for _ in 0..<100 { Member.create(in: context) }
      try context.save()
      var request = FetchRequest("Member")
      request.timeout = .zero
      #expect(code { _ = try context.fetch(request) } == .timedOut)
      #expect(code { _ = try context.count(request) } == .timedOut)
      request.timeout = .seconds(100_000)
      #expect(try context.fetch(request).count == 100)
    }
  }

  @Test func codeUnderTwoCancellationsStopsAtEither() throws {
    let outer = Cancellation()
    let inner = outer.run { Cancellation(after: .seconds(100_000)) }
    outer.cancel()
    try stack.main.performAndWait { context throws in
      #expect(
        code { try inner.run { _ = try context.count(FetchRequest("Animal")) } } == .cancelled)
    }
    #expect(inner.isCancelled)
  }
}
