// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Programs with handlers of signals beside a service, in every order. See `ProcessLifecycleTests` for the rules of
/// these tests.
@Suite struct SignalOwnerTests {
  /// The lines of a program that ends by itself after the signal.
  private func lines(
    of mode: String, _ signal: Int32, waitingFor wanted: Set<String>
  ) async throws -> [String] {
    let probe = try ProbeProcess(mode, signal: signal)
    await probe.wait(for: mode == "ignoredAfter" ? "ignored" : "handler")
    probe.send(signal)
    var missing = wanted
    while !missing.isEmpty, let line = await probe.line() { missing.remove(line) }
    #expect(missing.isEmpty, "\(mode) \(signal)")
    probe.closeInput()
    let ending = await probe.ending()
    #expect(!ending.wasSignalled, "\(mode) \(signal)")
    #expect(ending.status == 0, "\(mode) \(signal)")
    #expect(ending.errors == "", "\(mode) \(signal)")
    return ending.lines
  }

  /// The handler decides what becomes of the process. The service flushes at the signal, takes writes on, and flushes
  /// at the end.
  @Test(
    arguments: ["handlerBefore", "senderBefore", "onceBefore", "passingAfter"], [SIGTERM, SIGINT])
  func aHandlerIsCalledAndTheServiceFlushes(mode: String, signal: Int32) async throws {
    for _ in 0..<5 {
      let rest = try await lines(
        of: mode, signal, waitingFor: ["own handler", "journal flushes"])
      #expect(rest == ["journal flushes", "flushed 3"])
    }
  }

  /// A later handler that does not call the present one has the signal alone. The service flushes at the end.
  @Test(arguments: ["handlerAfter", "sourceAfter", "ignoringSourceAfter"], [SIGTERM, SIGINT])
  func aLaterHandlerHasTheSignalAlone(mode: String, signal: Int32) async throws {
    for _ in 0..<5 {
      let rest = try await lines(of: mode, signal, waitingFor: ["own handler"])
      #expect(rest == ["journal flushes", "flushed 3"])
    }
  }

  /// Dispatch and a handler compete for the signal, so the service may flush at it or not.
  @Test(arguments: [SIGTERM, SIGINT])
  func aSourceOfDispatchBeforeTheServiceGetsItsEvent(signal: Int32) async throws {
    for _ in 0..<5 {
      let rest = try await lines(of: "sourceBefore", signal, waitingFor: ["own handler"])
      #expect(Set(rest) == ["journal flushes", "flushed 3"])
      #expect(rest.last == "flushed 3")
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalThatIsIgnoredLaterIsIgnored(signal: Int32) async throws {
    let rest = try await lines(of: "ignoredAfter", signal, waitingFor: [])
    #expect(rest == ["journal flushes", "flushed 3"])
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalThatTheProgramWaitsForIsItsOwn(signal: Int32) async throws {
    let rest = try await lines(of: "taken", signal, waitingFor: ["taken \(signal)"])
    #expect(rest == ["journal flushes", "flushed 3"])
  }

  /// The handler is inherited by a child, and must neither wake the parent nor keep the child alive.
  @Test(arguments: [SIGTERM, SIGINT])
  func aChildEndsByTheSignalAndItsParentDoesNot(signal: Int32) async throws {
    let probe = try ProbeProcess("forked", signal: signal)
    #expect(await probe.line() == "a child ended by \(signal)")
    #expect(await probe.line() == "handler")
    probe.closeInput()
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes", "flushed 3"])
    #expect(ending.status == 0)
  }

  // MARK: - Without a service

  @Test(arguments: ["closed", "failed"], [SIGTERM, SIGINT])
  func withoutAServiceASignalHasItsUsualEffect(mode: String, signal: Int32) async throws {
    let probe = try ProbeProcess(mode, signal: signal)
    #expect(await probe.line() == "default")
    probe.send(signal)
    let ending = await probe.ending()
    #expect(ending.lines == [])
    #expect(ending.wasSignalled)
    #expect(ending.status == signal)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aClosedServiceLeavesTheFormerHandler(signal: Int32) async throws {
    let rest = try await lines(of: "closedBesideHandler", signal, waitingFor: ["own handler"])
    #expect(rest == [])
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aServiceAfterAClosedOneHearsTheSignal(signal: Int32) async throws {
    let probe = try ProbeProcess("reopened", signal: signal)
    #expect(await probe.line() == "handler")
    probe.send(signal)
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes", "flushed 3"])
    #expect(ending.wasSignalled)
    #expect(ending.status == signal)
  }
}
