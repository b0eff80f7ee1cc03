// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

private struct Mine: Error {}

// Each failure reaches `handleError` of its own instance once, and its completion once.
struct ServiceFailureTests {
  private let service = RecordingService.inMemory()
  private let calls = Calls()

  /// Makes a write that fails. Expects one report, one completion, and no change.
  private func expectOne(_ kind: String, _ chain: Chain, _ service: RecordingService) {
    #expect(calls.wait())
    #expect(chain.failure?.kind == kind)
    #expect(throws: DALError.self) { try chain.get() }
    #expect(service.errors.map(\.kind) == [kind])
    #expect(calls.all.map { $0?.kind } == [kind])
  }

  @Test func aValidationThatFails() {
    let other = RecordingService.inMemory()
    let chain = service.writeSync(
      { Member.create(in: $0).nickname = "much too long" }, completion: calls.completion)
    expectOne("validation", chain, service)
    #expect(service.memberCount == 0)
    #expect(other.errors.isEmpty)
  }

  @Test func aValueThatMustBeUniqueAndIsNot() throws {
    let folder = try TemporaryFolder()
    let service = RecordingService.at(folder.file("a.sqlite"))
    try service.writeSync { Member.create(in: $0).badge = "1" }.get()
    let chain = service.writeSync(
      { Member.create(in: $0).badge = "1" }, completion: calls.completion)
    guard case .store(let error)? = chain.failure?.code, case .constraint = error.code else {
      Issue.record("\(String(describing: chain.failure))")
      return
    }
    expectOne("store", chain, service)
    #expect(service.memberCount == 1)
    try service.writeSync { Member.create(in: $0).badge = "2" }.get()
    #expect(service.memberCount == 2)
    try service.close()
  }

  @Test func anOrderThatDoesNotFitTheModel() {
    let chain = service.read { _ = Member.all(sortedBy: "frstname", in: $0) }
    guard case .predicate(let error)? = chain.failure?.code else {
      Issue.record("\(String(describing: chain.failure))")
      return
    }
    #expect(error.code == .unknownKeyPath)
    #expect("\(error)".contains("Member") && "\(error)".contains("frstname"))
    #expect(service.errors.map(\.kind) == ["predicate"])
  }

  @Test func aStoreThatRefusesASave() throws {
    let (double, service) = StoreDouble.withService()
    double.fail(.execute, times: 1)
    let chain = service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
    expectOne("store", chain, service)
    #expect(service.memberCount == 0)
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.memberCount == 1)
  }

  @Test func idsThatCannotBeReserved() throws {
    let (double, service) = StoreDouble.withService()
    double.fail(.reserve, times: 1)
    let chain = service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
    expectOne("store", chain, service)
  }

  @Test func aFinderThatFailsInAWriteDiscardsIt() throws {
    let (double, service) = StoreDouble.withService()
    double.fail(.read, times: 1)
    let chain = service.writeSync(
      { context in
        Member.create(in: context)
        _ = Animal.all(in: context)
      }, completion: calls.completion)
    expectOne("store", chain, service)
    #expect(service.memberCount == 0)
  }

  @Test func findersThatFailInAReadAreToldOneByOne() throws {
    let (double, service) = StoreDouble.withService()
    double.fail(.read, times: 2)
    let chain = service.read { context in
      #expect(Member.all(in: context).isEmpty)
      #expect(Member.count(in: context) == 0)
    }
    #expect(chain.failure?.kind == "store")
    #expect(service.errors.map(\.kind) == ["store", "store"])
  }

  @Test func aPredicateThatDoesNotFitTheModel() throws {
    let chain = service.read { context in
      _ = Member.all("nothing", equalTo: "a", in: context)
    }
    #expect(chain.failure != nil)
    #expect(service.errors.count == 1)
  }

  @Test func aBlockThatThrowsDiscardsItsChanges() {
    let chain = service.writeSync(
      { context in
        Member.create(in: context)
        throw Mine()
      }, completion: calls.completion)
    #expect(chain.failure?.blockError is Mine)
    expectOne("block", chain, service)
    #expect(service.memberCount == 0)
  }

  @Test func changesInAReadAreUndoneAndTold() throws {
    try service.writeSync { Member.create(in: $0).firstname = "a" }.get()
    let chain = service.read { context in
      Member.first(in: context)?.firstname = "b"
      Member.create(in: context)
    }
    #expect(chain.failure?.kind == "mutationInRead")
    #expect(service.errors.map(\.kind) == ["mutationInRead"])
    try service.read { context in
      #expect(Member.all(in: context).map(\.firstname) == ["a"])
      #expect(!context.hasChanges)
    }.get()
    #expect(throws: DALError.self) { try service.readValue { Member.create(in: $0).count } }
    #expect(service.memberCount == 1)
  }

  @Test func anErrorPassedOnThroughStepsIsToldOnce() throws {
    let service = service
    let chain = service.writeSync { context in
      Member.create(in: context)
      _ = try service.readValue { _ -> Int in throw Mine() }
    }
    #expect(chain.failure?.blockError is Mine)
    #expect(service.errors.count == 1)
    let nested = service.writeSync { _ in
      try service.writeSync { _ in throw Mine() }.get()
    }
    #expect(nested.failure?.blockError is Mine)
    #expect(service.errors.count == 2)
  }

  @Test func aFailureBeforeANestedReadStaysWithItsOwnBlock() throws {
    let (double, service) = StoreDouble.withService()
    double.fail(.read, times: 1)
    var inner: Chain?
    let outer = service.read { context in
      _ = Member.all(in: context)
      inner = service.read { _ in }
    }
    #expect(inner?.failure == nil)
    #expect(outer.failure?.kind == "store")
    #expect(service.errors.count == 1)
  }

  @Test func chainsStopAtTheFirstFailure() {
    var steps: [Int] = []
    let chain =
      service
      .writeSync { _ in steps.append(1) }
      .writeSync { _ in throw Mine() }
      .read { _ in steps.append(2) }
      .writeSync({ _ in steps.append(3) }, completion: calls.completion)
      .writeAsync(
        { _ in Issue.record("A step was run that should have been skipped.") },
        completion: calls.completion)
    #expect(steps == [1])
    #expect(throws: DALError.self) { try chain.get() }
    #expect(calls.wait(2))
    #expect(calls.all.map { $0?.kind } == ["block", "block"])
    #expect(service.errors.count == 1)
  }

  @Test func asynchronousFailuresAreToldOnTheCompletionQueue() async {
    service.writeAsync({ _ in throw Mine() }, completion: calls.completion)
    #expect(service.errors.map(\.kind) == ["block"])
    await #expect(throws: DALError.self) { try await service.write { _ -> Int in throw Mine() } }
    await #expect(throws: DALError.self) { try await service.read { _ -> Int in throw Mine() } }
    // Those who await a block get its error themselves.
    #expect(service.errors.count == 1)
    #expect(calls.all.map { $0?.kind } == ["block"])
  }

  @Test func completionsAreCalledOnceWhateverHappens() throws {
    service.writeSync({ _ in }, completion: calls.completion)
    service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
    service.writeAsync({ _ in }, completion: calls.completion)
    service.writeAsync({ Member.create(in: $0) }, completion: calls.completion)
    service.writeSync({ _ in throw Mine() }, completion: calls.completion)
    let service = service
    let calls = calls
    service.writeSync { _ in
      service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
    }
    #expect(calls.wait(6))
    service.flushCompletions()
    #expect(calls.all.count == 6)
    #expect(calls.all.compactMap { $0?.kind } == ["block"])
    try service.close()
    service.writeSync({ _ in }, completion: calls.completion)
    service.writeAsync({ _ in }, completion: calls.completion)
    #expect(calls.wait(2))
    service.flushCompletions()
    #expect(calls.all.compactMap { $0?.kind } == ["block", "closed", "closed"])
  }
}
