// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Real processes get real signals.
///
/// Thread Sanitizer delays the handlers of signals. Do not run these tests under it.
@Suite struct ProcessLifecycleTests {
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func flushesAndThenEndsByTheSignal(_ signal: Int32) async throws {
    let probe = try ProbeProcess("flushes")
    await probe.wait(for: "ready")
    probe.send(signal)
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes", "flushed 3"])
    #expect(ending.errors == "")
    #expect(ending.wasSignalled)
    #expect(ending.status == signal)
  }

  @Test func flushesWhenMainReturns() async throws {
    let ending = try await ProbeProcess("returns").ending()
    #expect(ending.lines == ["ready", "journal flushes", "flushed 3"])
    #expect(!ending.wasSignalled)
    #expect(ending.status == 0)
  }

  @Test func flushesOnExitAndKeepsTheExitStatus() async throws {
    let ending = try await ProbeProcess("exits").ending()
    #expect(ending.lines == ["ready", "journal flushes", "flushed 3"])
    #expect(!ending.wasSignalled)
    #expect(ending.status == 3)
  }

  @Test func leavesTheEndingToAHostThatWantsIt() async throws {
    let probe = try ProbeProcess("stays")
    await probe.wait(for: "host waits")
    probe.send(SIGTERM)
    let ending = await probe.ending()
    #expect(Set(ending.lines) == ["journal flushes", "flushed 3", "host ends after 3"])
    #expect(!ending.wasSignalled)
    #expect(ending.status == 0)
  }

  @Test func endsAtOnceOnASecondSignal() async throws {
    let probe = try ProbeProcess("hangs")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    await probe.wait(for: "journal flushes")
    probe.send(SIGINT)
    let ending = await probe.ending()
    #expect(ending.lines == [])
    #expect(ending.errors.contains("second signal"))
    #expect(ending.errors.contains("journal"))
    #expect(ending.wasSignalled)
    #expect(ending.status == SIGINT)
  }

  @Test func endsAtOnceWhenTheSameSignalComesTwice() async throws {
    let probe = try ProbeProcess("hangs")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    await probe.wait(for: "journal flushes")
    let again = Task {
      while !Task.isCancelled {
        probe.send(SIGTERM)
        await Task.yield()
      }
    }
    let ending = await probe.ending()
    again.cancel()
    #expect(ending.wasSignalled)
    #expect(ending.status == SIGTERM)
  }

  /// `timeout` signals a program, and then the program's group.
  @Test func takesTwoSignalsAtOnceForOne() async throws {
    let probe = try ProbeProcess("flushes")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    probe.send(SIGTERM)
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes", "flushed 3"])
    #expect(ending.errors == "")
    #expect(ending.status == SIGTERM)
  }

  @Test func reportsAServiceThatHangsAndFlushesTheRest() async throws {
    let probe = try ProbeProcess("hangsBriefly")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    let ending = await probe.ending()
    #expect(ending.lines.last == "flushed 3")
    #expect(ending.errors == "Sporades: 3 flushed; no answer in time from stuck\n")
    #expect(ending.wasSignalled)
    #expect(ending.status == SIGTERM)
  }

  @Test func leavesSignalsAloneThatItIsNotToldToHear() async throws {
    let probe = try ProbeProcess("unlistened")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    let ending = await probe.ending()
    #expect(ending.lines == [])
    #expect(ending.wasSignalled)
    #expect(ending.status == SIGTERM)
  }

  @Test func outlivesAHangUpThatWasIgnored() async throws {
    let probe = try ProbeProcess("detached")
    await probe.wait(for: "ready")
    probe.send(SIGHUP)
    probe.closeInput()
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes", "flushed 3"])
    #expect(!ending.wasSignalled)
    #expect(ending.status == 0)
  }

  @Test func flushesWhileEveryGlobalThreadIsBlocked() async throws {
    let probe = try ProbeProcess("exhausted")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes", "flushed 3"])
    #expect(ending.wasSignalled)
    #expect(ending.status == SIGTERM)
  }

  @Test func aHookMayExit() async throws {
    let probe = try ProbeProcess("exitsInHook")
    await probe.wait(for: "ready")
    probe.send(SIGTERM)
    let ending = await probe.ending()
    #expect(ending.lines == ["journal flushes"])
    #expect(!ending.wasSignalled)
    #expect(ending.status == 9)
  }
}
