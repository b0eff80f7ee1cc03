// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

// Fetches whose rows a context reads while its queue does other work.
struct AsynchronousFetchTests {
  private let folder: TemporaryFolder
  private let service: RecordingService
  private let stack: DataStack

  init() throws {
    folder = try TemporaryFolder()
    service = .at(folder.file("store.sqlite"))
    let write = service.writeSync { context in
      for number in 1...1_000 { Member.create(in: context).count = number }
    }
    #expect(write.failure == nil)
    stack = try service.stack()
  }

  private var some: FetchRequest {
    FetchRequest("Member", where: .compare("count", .lessOrEqual, 3), sortedBy: [SortTerm("count")])
  }

  /// What a completion got.
  private struct Outcome: Sendable {
    let counts: [Int]
    let code: StoreError.Code?
    let isOnQueue: Bool
  }

  /// Runs a fetch to its end. `meanwhile` runs in the block that began it.
  private func outcome(
    of request: FetchRequest, on queue: ContextQueue,
    meanwhile: @Sendable (ManagedObjectContext, AsynchronousFetch) throws -> Void = { _, _ in }
  ) async throws -> Outcome {
    let outcomes = AsyncStream<Outcome>.makeStream()
    try queue.performAndWait { context in
      let fetch = try context.execute(
        AsynchronousFetchRequest(request) { result in
          let error = result.operationError as? StoreError
          outcomes.continuation.yield(
            Outcome(
              counts: result.finalResult.compactMap { ($0 as? Member)?.count }, code: error?.code,
              isOnQueue: queue.isCurrent))
        })
      try meanwhile(context, fetch)
    }
    var iterator = outcomes.stream.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  @Test func theCompletionGetsTheObjectsOnTheQueue() async throws {
    let outcome = try await outcome(of: some, on: stack.newContext())
    #expect(outcome.counts == [1, 2, 3])
    #expect(outcome.isOnQueue)
  }

  @Test func unsavedChangesAreSeen() async throws {
    let outcome = try await outcome(of: some, on: stack.newContext()) { context, _ in
      Member.create(in: context).count = 0
    }
    #expect(outcome.counts == [0, 1, 2, 3])
  }

  @Test func aSaveWhileTheStoreIsReadIsSeen() async throws {
    let queue = stack.newContext()
    let service = service
    let outcome = try await outcome(of: some, on: queue) { context, _ in
      let known = try context.fetch(Member.self, some)
      #expect(
        service.writeSync { Member.first(where: \.count == 2, in: $0)?.count = 5_000 }.failure
          == nil)
      #expect(known.count == 3)
    }
    #expect(outcome.counts == [1, 3])
  }

  @Test func aContextOverAContextShowsItsParentsChanges() async throws {
    let parent = stack.newContext()
    parent.performAndWait { context in Member.create(in: context).count = 0 }
    let outcome = try await outcome(of: some, on: stack.newChild(of: parent))
    #expect(outcome.counts == [0, 1, 2, 3])
  }

  @Test func aCancelledFetchTellsItsCompletion() async throws {
    let outcome = try await outcome(of: some, on: stack.newContext()) { _, fetch in fetch.cancel() }
    #expect(outcome.counts.isEmpty)
    #expect(outcome.code == .cancelled)
  }

  @Test func aFetchThatTakesTooLongTellsItsCompletion() async throws {
    var request = some
    request.timeout = .zero
    let outcome = try await outcome(of: request, on: stack.newContext())
    #expect(outcome.code == .timedOut)
  }

  @Test func theProgressCountsRows() async throws {
    let queue = stack.newContext()
    let ended = Latch()
    let fetch = try queue.performAndWait { context in
      var request = AsynchronousFetchRequest(FetchRequest("Member")) { _ in ended.open() }
      request.estimatedResultCount = 2_000
      return try context.execute(request)
    }
    let hasEnded = await Task(executorPreference: OwnThreadExecutor()) { ended.wait() }.value
    #expect(hasEnded)
    #expect(fetch.rowsRead == 1_000)
    #expect(fetch.fractionCompleted == 0.5)
  }

  @Test func aRequestThatDoesNotFitIsRefusedAtOnce() throws {
    try stack.newContext().performAndWait { context throws in
      _ = #expect(throws: ContextError.self) {
        try context.execute(AsynchronousFetchRequest(FetchRequest("Nobody")) { _ in })
      }
    }
  }

  @Test func aContextOfAThreadIsRefused() throws {
    let context = stack.newThreadContext()
    let error = #expect(throws: ContextError.self) {
      try context.execute(AsynchronousFetchRequest(some) { _ in })
    }
    #expect("\(try #require(error))".contains("newContext(name:)"))
  }
}
