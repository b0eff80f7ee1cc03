// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

// The limit of writes that wait, and the fate of a write beyond it.
struct PendingWritesConcurrencyTests {
  private let calls = Calls()
  private let mayEnd = Latch()

  private func service(
    limit: Int, _ change: (inout DALService.Options) -> Void = { _ in }
  ) throws -> RecordingService {
    RecordingService.over(try StoreDouble()) {
      $0.pendingWriteLimit = limit
      change(&$0)
    }
  }

  /// Fills the service with one write that runs and others that wait for it.
  private func fill(_ service: RecordingService, _ count: Int) {
    let (hasBegun, mayEnd) = (Latch(), mayEnd)
    service.writeAsync { context in
      hasBegun.open()
      mayEnd.wait()
      Member.create(in: context)
    }
    for _ in 1..<count { service.writeAsync { Member.create(in: $0) } }
    hasBegun.wait()
  }

  @Test func aThreadWaitsForRoomAndKeepsItsOrder() throws {
    let service = try service(limit: 4)
    fill(service, 4)
    let names = Guarded<[Int]>([])
    let isDone = Latch()
    Thread {
      for number in 0..<200 {
        service.writeAsync { context in
          Member.create(in: context).count = number
          names.withLock { $0.append(number) }
        }
      }
      isDone.open()
    }.start()
    #expect(eventually { service.metrics.writesWaitingForRoom == 1 })
    #expect(service.metrics.writesQueued == 4)
    mayEnd.open()
    #expect(isDone.wait())
    #expect(service.flush().isComplete)
    #expect(names.withLock(\.self) == Array(0..<200))
    #expect(service.memberCount == 204)
    #expect(service.metrics.mostWritesQueued == 4)
    #expect(service.metrics.writesWaitingForRoom == 0)
  }

  @Test func writesOfManyThreadsAllPass() throws {
    let service = try service(limit: 3)
    inParallel(8) { _ in for _ in 0..<50 { service.writeAsync { Member.create(in: $0) } } }
    #expect(service.flush().isComplete)
    #expect(service.memberCount == 400)
    #expect(service.metrics.mostWritesQueued <= 3)
    #expect(service.errors.isEmpty)
  }

  /// All tasks share one thread, so a task that blocked it would keep the others from asking for room.
  @Test func tasksAreSuspendedAndBlockNoThread() async throws {
    let service = try service(limit: 2)
    fill(service, 2)
    let writes = Task(executorPreference: OwnThreadExecutor()) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask { try await service.write { _ = Member.create(in: $0) } }
        }
        try await group.waitForAll()
      }
    }
    #expect(eventually { service.metrics.writesWaitingForRoom == 100 })
    mayEnd.open()
    try await writes.value
    #expect(service.memberCount == 102)
    #expect(service.metrics.mostWritesQueued <= 2)
  }

  @Test func aCancelledTaskWritesNothing() async throws {
    let service = try service(limit: 1)
    fill(service, 1)
    let task = startWrite(service)
    #expect(eventually { service.metrics.writesWaitingForRoom == 1 })
    task.cancel()
    mayEnd.open()
    let error = await #expect(throws: DALError.self) { try await task.value }
    #expect(error?.kind == "cancelled")
    #expect(service.memberCount == 1)
  }

  @Test func whoMustNotWaitIsRefusedByName() throws {
    let service = try service(limit: 1)
    fill(service, 1)
    let completion = calls.completion
    service.read { _ in
      service.writeAsync({ Member.create(in: $0) }, completion: completion)
    }
    let other = RecordingService.inMemory()
    other.writeSync { _ in
      service.writeAsync({ Member.create(in: $0) }, completion: completion)
    }
    #expect(calls.wait(2))
    #expect(calls.all.map { $0?.kind } == ["tooManyWrites", "tooManyWrites"])
    mayEnd.open()
    #expect(service.errors.map(\.kind) == ["tooManyWrites", "tooManyWrites"])
    #expect(service.memberCount == 1)
  }

  @Test func theThreadOfAMainContextOnTheMainQueueIsRefused() async throws {
    let stack = DataStack(
      store: try StoreDouble(), classes: [Member.self], mainQueue: .main)
    let service = RecordingService(
      stack: stack, options: RecordingService.options { $0.pendingWriteLimit = 1 })
    fill(service, 1)
    let completion = calls.completion
    await MainActor.run {
      service.writeAsync({ Member.create(in: $0) }, completion: completion)
    }
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["tooManyWrites"])
    mayEnd.open()
    #expect(service.flush().isComplete)
  }

  @Test(arguments: ["stop", "close"])
  func whoWaitsForRoomHearsOfTheEnd(_ how: String) throws {
    let service = try service(limit: 1)
    fill(service, 1)
    let (completion, isDone, calls, mayEnd) = (calls.completion, Latch(), calls, mayEnd)
    Thread {
      service.writeAsync({ Member.create(in: $0) }, completion: completion)
      isDone.open()
    }.start()
    #expect(eventually { service.metrics.writesWaitingForRoom == 1 })
    if how == "stop" {
      service.stopTakingWrites(until: DispatchGroup())
      #expect(isDone.wait())
      mayEnd.open()
      #expect(service.flush(deadline: .now + .seconds(3_600)).isComplete)
    } else {
      Thread {
        _ = calls.wait()
        mayEnd.open()
      }.start()
      try service.close()
      #expect(isDone.wait())
    }
    #expect(eventually { calls.all.map { $0?.kind } == [how == "stop" ? "stopping" : "closed"] })
  }

  @Test func aTaskThatWaitsForRoomPassesAfterASuspension() async throws {
    let service = try service(limit: 1)
    fill(service, 1)
    let flushes = DispatchGroup()
    flushes.enter()
    let task = startWrite(service)
    #expect(eventually { service.metrics.writesWaitingForRoom == 1 })
    service.stopTakingWrites(until: flushes)
    #expect(service.metrics.writesWaitingForRoom == 0)
    mayEnd.open()
    #expect(service.flush(deadline: .now + .seconds(3_600)).isComplete)
    service.takeWritesAgain()
    flushes.leave()
    try await task.value
    #expect(service.memberCount == 2)
  }

  /// Starts a task that writes, on a thread of its own. Other tests hold the threads that tasks share.
  private func startWrite(_ service: RecordingService) -> Task<Void, any Error> {
    Task(executorPreference: OwnThreadExecutor()) {
      try await service.write { _ = Member.create(in: $0) }
    }
  }

  @Test func writesOfACallerThatWaitsNeedNoRoom() throws {
    let service = try service(limit: 1) { $0.allowsConcurrentWritings = true }
    fill(service, 1)
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.memberCount == 1)
    mayEnd.open()
    #expect(service.flush().isComplete)
    #expect(service.memberCount == 2)
  }
}
