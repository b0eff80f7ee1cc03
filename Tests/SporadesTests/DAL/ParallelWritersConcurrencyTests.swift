// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Parallel writers: unique constraints and versions keep find-or-create right.
@Suite(.serialized) struct ParallelWritersConcurrencyTests {
  private static let rounds = 20
  private static let badges = 7
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func services(_ policy: MergePolicy) throws -> [RecordingService] {
    let options = { (options: inout RecordingService.Options) in
      options.allowsConcurrentWritings = true
      options.mergePolicy = policy
    }
    return [
      .at(folder.file("\(UUID().uuidString).sqlite"), options), .inMemory(options),
      .over(MemoryStore(model: try .members), options),
    ]
  }

  /// Repeats the write until it is accepted. Returns the number of refusals because of other writes.
  private func insist(
    _ service: RecordingService, _ body: (ReportingContext) throws -> Void
  ) -> Int {
    for refusals in 0..<1000 {
      guard let failure = service.writeSync(body).failure else { return refusals }
      guard case .store(let error) = failure.code else { return 1000 }
      switch error.code {
      case .conflict, .constraint: continue
      default: return 1000
      }
    }
    return 1000
  }

  @Test func firstOrCreateMakesOneOfEach() throws {
    for service in try services(.error) {
      let refusals = Guarded(0)
      inParallel(8) { number in
        for round in 0..<Self.rounds {
          let refused = insist(service) { context in
            let badge = "badge \((number + round) % Self.badges)"
            let member = Member.firstOrCreate(\.badge, equalTo: badge, in: context)
            member.count += 1
            Animal.create(in: context).owner = member
          }
          refusals.withLock { $0 += refused }
        }
      }
      #expect(refusals.withLock { $0 } < 1000)
      try service.read { context in
        let members = Member.all(in: context)
        #expect(Set(members.map(\.badge)).count == Self.badges)
        #expect(members.count == Self.badges)
        #expect(members.reduce(0) { $0 + $1.count } == 8 * Self.rounds)
        #expect(members.allSatisfy { $0.animals.count == $0.count })
      }.get()
    }
  }

  @Test func upsertsMakeOneOfEachAndKeepWhatIsLinked() throws {
    for service in try services(.objectTrump) {
      let refusals = Guarded(0)
      inParallel(8) { number in
        for round in 0..<Self.rounds {
          let refused = insist(service) { context in
            let member = Member.create(in: context)
            member.badge = "badge \((number + round) % Self.badges)"
            member.lastname = "of \(number)"
            member.animals = [Animal.create(in: context), Animal.create(in: context)]
          }
          refusals.withLock { $0 += refused }
        }
      }
      #expect(refusals.withLock { $0 } < 1000)
      try service.read { context in
        let members = Member.all(in: context)
        #expect(Set(members.map(\.badge)).count == Self.badges)
        #expect(members.count == Self.badges)
        #expect(members.reduce(0) { $0 + $1.animals.count } == 16 * Self.rounds)
        #expect(Animal.all(in: context).allSatisfy { $0.owner?.animals.contains($0) == true })
        #expect(members.allSatisfy { $0.lastname?.hasPrefix("of ") == true })
      }.get()
    }
  }

  /// Some threads insert and delete members while other threads add animals to them.
  @Test func deletionsAndLinksLeaveNothingThatLeadsNowhere() throws {
    for service in try services(.storeTrump) {
      inParallel(8) { number in
        for round in 0..<Self.rounds {
          _ = insist(service) { context in
            let badge = "badge \((number + round) % Self.badges)"
            let member = Member.firstOrCreate(\.badge, equalTo: badge, in: context)
            if round % 4 == 3 { return context.delete(member) }
            Animal.create(in: context).owner = member
          }
        }
      }
      let fresh = try service.stack().newContext()
      try fresh.performAndWait { context in
        for animal in try Animal.all(in: context) {
          guard let owner = animal.owner else { continue }
          _ = try context.existingObject(with: owner.objectID)
          #expect(owner.animals.contains(animal))
        }
      }
    }
  }
}
