// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// A failure to open is one failure. The service reports it once, and the results of later calls carry it.
@Suite struct OpeningFailureTests {
  private struct Mine: Error {}
  private let service = RecordingService(options: RecordingService.options { _ in }) {
    throw Mine()
  }

  @Test func everyCallFailsWithItAndNoneReportsItAgain() async throws {
    #expect(service.errorsSoFar.map(\.kind) == ["cannotOpen"])
    let calls = Calls()
    let chain = service.writeSync({ _ in }, completion: calls.completion)
      .writeSync({ _ in }, completion: calls.completion)
      .writeAsync({ _ in }, completion: calls.completion)
      .read { _ in }
    service.writeAsync({ _ in }, completion: calls.completion)
    #expect(calls.wait(4))
    #expect(calls.all.map { $0?.kind } == Array(repeating: "cannotOpen", count: 4))
    #expect(throws: DALError.self) { try chain.get() }
    #expect(service.read { _ in }.failure?.kind == "cannotOpen")
    #expect(throws: DALError.self) { try service.readValue { _ in 1 } }
    #expect(throws: DALError.self) { try service.reset() }
    #expect(throws: DALError.self) { try service.stack() }
    await #expect(throws: DALError.self) { try await service.read { _ in 1 } }
    await #expect(throws: DALError.self) { try await service.write { _ in 1 } }
    #expect(service.errors.map(\.kind) == ["cannotOpen"])
    try service.close()
    #expect(service.errorsSoFar.map(\.kind) == ["cannotOpen"])
  }

  @Test func aBlockOfAnotherServiceReportsItThereOnce() {
    let other = RecordingService.inMemory()
    let chain = other.writeSync { _ in try service.read { _ in }.get() }
    #expect(chain.failure?.kind == "cannotOpen")
    #expect(other.errors.map(\.kind) == ["cannotOpen"])
    #expect(service.errors.map(\.kind) == ["cannotOpen"])
  }

  /// Each call of a closed service is a mistake of its own.
  @Test func aClosedServiceReportsEachRefusedCallOnce() async throws {
    let service = RecordingService.inMemory()
    try service.close()
    let calls = Calls()
    service.writeSync({ _ in }, completion: calls.completion)
      .writeSync({ _ in }, completion: calls.completion)
      .read { _ in }
    #expect(calls.wait(2))
    #expect(calls.all.map { $0?.kind } == ["closed", "closed"])
    #expect(service.errorsSoFar.map(\.kind) == ["closed"])
    await #expect(throws: DALError.self) { try await service.write { _ in 1 } }
    await #expect(throws: DALError.self) { try await service.read { _ in 1 } }
    #expect(service.errorsSoFar.map(\.kind) == ["closed", "closed", "closed"])
    try service.close()
    #expect(service.errorsSoFar.count == 3)
  }
}
