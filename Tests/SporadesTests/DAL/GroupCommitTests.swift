// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

// Immediate writes that wait behind each other share commits, and each goes on after its own.
struct GroupCommitTests {
  private var (double, service) = StoreDouble.withService()

  private var committed: Int {
    let shape = double.model.shape(named: "Member")!
    return (try? double.count(StoreFetch(shape), in: .committed)) ?? -1
  }

  /// Holds the writer until `count` writes wait.
  private func holdWriter(untilQueued count: Int) {
    let service = service
    service.writeAsync { _ in _ = eventually { service.metrics.writesQueued > count } }
  }

  @Test func queuedImmediateWritesGoOnWhenTheyAreOnTheDisk() async throws {
    let (double, service) = (double, service)
    let count = 50
    holdWriter(untilQueued: count)
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<count {
        group.addTask {
          try await service.write(durability: .immediate) { Member.create(in: $0).count = number }
          let shape = try #require(double.model.shape(named: "Member"))
          let slot = try #require(shape.slot(named: "count"))
          let pages = try double.rows(StoreFetch(shape), in: .committed)
          let kept = pages.flatMap { page in
            (0..<page.count).map { page.value($0, slot: slot, as: .integer64) }
          }
          #expect(kept.contains(.integer(Int64(number))))
          return number
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.sorted() == Array(0..<count))
    #expect(double.promises.allSatisfy { $0 == .immediate })
    #expect(service.metrics.commits.rowsCommitted == count)
    #expect(service.errors.isEmpty)
  }

  @Test func completionsOfQueuedImmediateWritesComeAfterTheirCommits() throws {
    let (service, calls) = (service, Calls())
    holdWriter(untilQueued: 20)
    for _ in 0..<20 {
      service.writeAsync(
        durability: .immediate, { Member.create(in: $0) }, completion: calls.completion)
    }
    #expect(calls.wait(20))
    #expect(committed == 20)
    #expect(double.promises.allSatisfy { $0 == .immediate })
    #expect(calls.all.allSatisfy { $0 == nil })
  }

  @Test func aSharedCommitThatFailsIsToldToItsWriterAndOnceToTheService() async throws {
    let (double, service) = (double, service)
    double.fail(.commit, times: 1)
    holdWriter(untilQueued: 2)
    let first = Task { () async -> DALError? in
      do throws(DALError) {
        try await service.write(durability: .immediate) { _ = Member.create(in: $0) }
        return nil
      } catch { return error }
    }
    #expect(eventually { service.metrics.writesQueued == 2 })
    let second = Task {
      try await service.write(durability: .immediate) { _ = Member.create(in: $0) }
    }
    let failure = await first.value
    try await second.value
    // A writer that begins to wait after the failure gets the result of the next attempt.
    if let failure {
      #expect(failure.kind == "notDurable")
      guard case .committed? = failure.receipt?.state else {
        Issue.record("The write is \(String(describing: failure.receipt?.state)).")
        return
      }
    }
    #expect(committed == 2)
    #expect(service.errors.map(\.kind) == ["notDurable"])
  }

  @Test func aRefusedWriteAmongSharedOnesTakesNothingWithIt() throws {
    let (service, calls) = (service, Calls())
    holdWriter(untilQueued: 3)
    for badge in ["a", "a", "b"] {
      service.writeAsync(
        durability: .immediate, { Member.create(in: $0).badge = badge },
        completion: calls.completion)
    }
    #expect(calls.wait(3))
    #expect(calls.all.compactMap { $0?.kind } == ["store"])
    #expect(committed == 2)
  }
}
