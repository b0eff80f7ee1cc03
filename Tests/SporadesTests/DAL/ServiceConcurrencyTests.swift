// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

// Many threads use one service at once. Run these tests under Thread Sanitizer too.
@Suite(.serialized)
struct ServiceConcurrencyTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let rounds = 40

  /// Eight threads read and increment one object. The result is the same as without concurrency.
  private func expectSerialEnd(_ service: RecordingService) throws {
    try service.writeSync { Member.create(in: $0).badge = "counter" }.get()
    inParallel(8) { number in
      for round in 0..<Self.rounds {
        switch (number + round) % 4 {
        case 0: service.writeSync { Member.create(in: $0).count = 1 }
        case 1: service.writeAsync { Animal.create(in: $0).name = "a" }
        case 2:
          service.writeSync { context in
            Member.first("badge", equalTo: "counter", in: context)?.count += 1
          }
        default:
          service.read { context in
            #expect(Member.count(in: context) >= 1)
            for member in Member.all(sortedBy: "count", limit: 5, in: context) { _ = member.badge }
          }
        }
      }
    }
    #expect(service.flush().isComplete)
    let expected = 8 * Self.rounds / 4
    try service.read { context in
      #expect(Member.count(in: context) == expected + 1)
      #expect(Animal.count(in: context) == expected)
      #expect(Member.first("badge", equalTo: "counter", in: context)?.count == expected)
    }.get()
    #expect(service.errors.isEmpty)
    #expect(service.metrics.writesQueued == 0)
    #expect(service.metrics.commits.rowsWaiting == 0)
  }

  @Test func mixedWorkOnAFileEndsAsInOrder() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    try expectSerialEnd(service)
    try service.close()
  }

  @Test func mixedWorkInMemoryEndsAsInOrder() throws {
    try expectSerialEnd(.inMemory())
    try expectSerialEnd(.over(MemoryStore(model: try .members)))
  }

  @Test func parallelWritersLoseNothing() throws {
    let service = RecordingService.at(folder.file("a.sqlite")) {
      $0.allowsConcurrentWritings = true
    }
    inParallel(8) { number in
      for round in 0..<Self.rounds {
        service.writeSync { context in
          Member.create(in: context).badge = "\(number)-\(round)"
          service.writeSync { Animal.create(in: $0) }
        }
        service.writeAsync { Animal.create(in: $0) }
        service.read { _ = Member.count(in: $0) }
      }
    }
    #expect(service.flush().isComplete)
    #expect(service.memberCount == 8 * Self.rounds)
    #expect(try service.readValue { try Animal.count(in: $0) } == 16 * Self.rounds)
    #expect(service.errors.isEmpty)
  }

  @Test func parallelWritersOfOneObjectConflictOrCount() throws {
    let service = RecordingService.at(folder.file("a.sqlite")) {
      $0.allowsConcurrentWritings = true
    }
    try service.writeSync { Member.create(in: $0) }.get()
    let accepted = Guarded(0)
    inParallel(8) { _ in
      for _ in 0..<Self.rounds {
        let chain = service.writeSync { Member.first(in: $0)?.count += 1 }
        if chain.failure == nil { accepted.withLock { $0 += 1 } }
      }
    }
    let total = accepted.withLock { $0 }
    try service.read { #expect(Member.first(in: $0)?.count == total) }.get()
    #expect(service.errors.count == 8 * Self.rounds - total)
  }

  @Test func resetsComeBetweenWrites() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    let folder = folder
    inParallel(4) { number in
      for round in 0..<Self.rounds / 4 {
        switch number {
        case 0:
          let copy = round % 5 == 0 ? folder.file("copy\(round).sqlite") : nil
          #expect(throws: Never.self) { try service.reset(keepingCopyAt: copy) }
        case 1:
          service.read { context in
            for member in Member.all(in: context) { _ = member.firstname }
          }
        default: service.writeSync { Member.create(in: $0) }
        }
      }
    }
    try service.reset()
    #expect(service.memberCount == 0)
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.memberCount == 1)
    #expect(service.errors.isEmpty)
  }

  @Test func whatWasAcceptedBeforeAClosingIsInTheFile() throws {
    for round in 0..<5 {
      let file = folder.file("\(round).sqlite")
      let service = RecordingService.at(file)
      let accepted = Guarded(0)
      inParallel(5) { number in
        if number == 0 {
          _ = eventually { accepted.withLock { $0 } > 10 }
          #expect(throws: Never.self) { try service.close() }
          return
        }
        while true {
          let chain =
            number == 1
            ? service.read { _ = Member.count(in: $0) }
            : service.writeSync { Member.create(in: $0) }
          guard chain.failure == nil else {
            #expect(chain.failure?.kind == "closed", "\(String(describing: chain.failure))")
            return
          }
          if number != 1 { accepted.withLock { $0 += 1 } }
        }
      }
      #expect(RecordingService.at(file).memberCount == accepted.withLock { $0 })
    }
  }

  @Test func servicesAreDroppedWhileTheyWork() throws {
    let model = try ManagedObjectModel.members
    let done = Calls()
    inParallel(4) { _ in
      for _ in 0..<Self.rounds {
        let service = RecordingService.over(MemoryStore(model: model))
        service.writeAsync({ Member.create(in: $0) }, completion: done.completion)
      }
    }
    #expect(done.wait(4 * Self.rounds))
    #expect(done.all.allSatisfy { $0 == nil })
  }

  @Test func aContextNobodyUsesCatchesUp() throws {
    let queue = DispatchQueue(label: "busy")
    let stack = try DataStack(inMemory: [Member.self], mainQueue: queue)
    let service = RecordingService(stack: stack, options: RecordingService.options { _ in })
    try service.writeSync { Member.create(in: $0).badge = "counter" }.get()
    var held: Member?
    try service.read {
      held = Member.first(in: $0)
      #expect(held?.count == 0)
    }.get()
    queue.suspend()
    for number in 1...5000 {
      service.writeSync { Member.first(in: $0)?.count = number }
    }
    queue.resume()
    try service.read { _ in #expect(held?.count == 5000) }.get()
  }
}
