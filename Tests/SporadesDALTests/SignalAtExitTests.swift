// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A signal that came before the exit ends the process, whatever the exit was doing. A signal that the process
/// ignored when it started stays ignored. See `ProcessLifecycleTests` for the rules of these tests.
@Suite struct SignalAtExitTests {
  private func expectSignalled(
    _ ending: ProbeProcess.Ending, _ mode: String, _ signal: Int32 = SIGTERM
  ) {
    #expect(ending.wasSignalled, "\(mode): \(ending)")
    #expect(ending.status == signal, "\(mode): \(ending)")
    #expect(ending.lines.contains("journal flushes"), "\(mode): \(ending)")
    #expect(ending.lines.last == "flushed 3", "\(mode): \(ending)")
  }

  @Test(arguments: [
    "signalledBefore", "signalledInFlush", "signalledInHook", "signalledAtTheEnd",
    "signalledWithoutExitFlush",
  ])
  func aSignalDuringTheExitEndsTheProcess(_ mode: String) async throws {
    for _ in 0..<15 {
      let ending = try await ProbeProcess(mode).ending()
      expectSignalled(ending, mode)
    }
  }

  /// The parent sends the signal first, and then lets the program end by itself.
  @Test(arguments: ["endsWithInput", "exitsElsewhere"])
  func aSignalBeforeTheEndOfMainEndsTheProcess(_ mode: String) async throws {
    for _ in 0..<15 {
      let probe = try ProbeProcess(mode)
      await probe.wait(for: "ready")
      probe.send(SIGTERM)
      probe.closeInput()
      expectSignalled(await probe.ending(), mode)
    }
  }

  @Test func ignoredSignalsStayIgnored() async throws {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      let probe = try ProbeProcess("inherits", ignoring: "INT TERM HUP")
      await probe.wait(for: "ready")
      probe.send(signal)
      probe.closeInput()
      let ending = await probe.ending()
      #expect(ending.lines == ["journal flushes", "flushed 3"])
      #expect(!ending.wasSignalled)
      #expect(ending.status == 0)
    }
  }

  /// Foundation starts a program with the mask of the calling thread, and a task's thread blocks nearly all signals.
  @Test func aSignalThatTheParentBlockedIsHeard() async throws {
    for signal in [SIGTERM, SIGINT] {
      let probe = try ProbeProcess("inheritsMask")
      await probe.wait(for: "ready")
      probe.send(signal)
      expectSignalled(await probe.ending(), "inheritsMask", signal)
    }
    let probe = try ProbeProcess("inheritsMask")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    probe.closeInput()
    expectSignalled(await probe.ending(), "inheritsMask")
  }

  /// A background job of a shell ignores the interrupt alone.
  @Test func otherSignalsAreHeardBesideAnIgnoredOne() async throws {
    let probe = try ProbeProcess("inherits", ignoring: "INT")
    await probe.wait(for: "ready")
    probe.send(SIGINT)
    probe.send(SIGTERM)
    expectSignalled(await probe.ending(), "inherits")
  }

  @Test func aSignalIsHeardAgainAfterItWasLeftAlone() async throws {
    let probe = try ProbeProcess("heardAgain")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    let ending = await probe.ending()
    expectSignalled(ending, "heardAgain")
  }
}
