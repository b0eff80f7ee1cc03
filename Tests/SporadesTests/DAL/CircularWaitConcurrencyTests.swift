// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesDAL
import SporadesGraph
import SporadesModel
import Testing

/// A block of one service may use another service. Of two blocks that would wait for each other for ever, the one that
/// would close the circle is refused, and the other goes on.
@Suite struct CircularWaitConcurrencyTests {
  private let first = RecordingService.inMemory()
  private let second = RecordingService.inMemory()

  private enum Call: String, CaseIterable {
    case write, batch, reset, close
  }

  private func call(_ call: Call, _ service: DALService) -> DALError? {
    do throws(DALError) {
      switch call {
      case .write: try service.writeSync { Member.create(in: $0) }.get()
      case .batch: _ = try service.execute(Member.request.delete())
      case .reset: try service.reset()
      case .close: try service.close()
      }
      return nil
    } catch { return error }
  }

  /// Runs both blocks, each inside a block of one service, when both are there.
  private func oppose(
    _ inFirst: @escaping @Sendable () -> Void,
    _ inSecond: @escaping @Sendable () -> Void
  ) -> [DALError?] {
    let (hasFirst, hasSecond) = (Latch(), Latch())
    let outcomes = Guarded<[DALError?]>([nil, nil])
    let (first, second) = (first, second)
    inParallel(2) { number in
      let chain =
        number == 0
        ? first.writeSync { context in
          Member.create(in: context)
          hasFirst.open()
          hasSecond.wait()
          inFirst()
        }
        : second.writeSync { context in
          Member.create(in: context)
          hasSecond.open()
          hasFirst.wait()
          inSecond()
        }
      outcomes.withLock { $0[number] = chain.failure }
    }
    return outcomes.withLock(\.self)
  }

  @Test func ofOpposedNestedWritesOneIsRefused() throws {
    let refusals = Guarded<[DALError?]>([])
    let (first, second) = (first, second)
    let outcomes = oppose(
      {
        let failure = call(.write, second)
        refusals.withLock { $0.append(failure) }
      },
      {
        let failure = call(.write, first)
        refusals.withLock { $0.append(failure) }
      })
    #expect(outcomes.allSatisfy { $0 == nil })
    let refused = refusals.withLock(\.self).compactMap(\.self)
    let error = try #require(refused.first)
    #expect(refused.count == 1 && error.operation == .write)
    guard case .circularWait(let names) = error.code else {
      Issue.record("\(error)")
      return
    }
    #expect(names == Array(repeating: "the writer of RecordingService", count: 2))
    // Each outer write is saved, and so is the nested one that was let in.
    #expect(first.memberCount + second.memberCount == 3)
    #expect(first.flush().isComplete && second.flush().isComplete)
    #expect((first.errors + second.errors).map(\.kind) == ["circularWait"])
  }

  @Test(arguments: Call.allCases)
  private func eachCallThatWaitsForAWriterCanBeRefused(call: Call) throws {
    let (first, second) = (first, second)
    let failures = Guarded<[DALError?]>([nil, nil])
    let outcomes = oppose(
      {
        // Mostly the other block waits for this one's service by now, so that this call is refused.
        #expect(eventually { first.metrics.writesQueued == 2 })
        let failure = self.call(call, second)
        failures.withLock { $0[0] = failure }
      },
      {
        let failure = self.call(.write, first)
        failures.withLock { $0[1] = failure }
      })
    #expect(outcomes.allSatisfy { $0 == nil })
    let (refused, other) = (failures.withLock { $0[0] }, failures.withLock { $0[1] })
    #expect([refused, other].compactMap { $0?.kind } == ["circularWait"])
    #expect(first.memberCount == (other == nil ? 2 : 1))
    guard refused != nil else { return }
    // A refused step leaves the service open.
    second.writeSync { Member.create(in: $0) }
    #expect(second.memberCount == 2)
  }

  @Test func ofOpposedNestedReadsOneIsRefused() throws {
    let (first, second) = (first, second)
    let (hasFirst, hasSecond) = (Latch(), Latch())
    let refusals = Guarded<[DALError?]>([])
    inParallel(2) { number in
      let (outer, inner): (DALService, DALService) = number == 0 ? (first, second) : (second, first)
      outer.read { _ in
        (number == 0 ? hasFirst : hasSecond).open()
        (number == 0 ? hasSecond : hasFirst).wait()
        let failure = inner.read { _ in }.failure
        refusals.withLock { $0.append(failure) }
      }
    }
    let refused = refusals.withLock(\.self).compactMap(\.self)
    #expect(refused.map(\.kind) == ["circularWait"] && refused.first?.operation == .read)
  }

  /// Writes side by side wait for none of their own kind, and yet a step that needs all of them can close a circle.
  @Test func aCircleThroughOneOfSeveralWritersIsRefused() throws {
    let parallel = RecordingService.inMemory { $0.allowsConcurrentWritings = true }
    let serial = RecordingService.inMemory()
    let (hasFirst, hasSecond, isDone) = (Latch(), Latch(), Latch())
    let nested = Guarded<DALError?>(nil)
    parallel.writeAsync(
      { context in
        Member.create(in: context)
        hasFirst.open()
        hasSecond.wait()
        let failure = serial.writeSync { Member.create(in: $0) }.failure
        nested.withLock { $0 = failure }
      },
      completion: { _ in isDone.open() })
    // The end of one context does not affect the other.
    hasFirst.wait()
    parallel.writeSync { _ in }
    var refused: DALError?
    serial.writeSync { _ in
      hasSecond.open()
      #expect(eventually { serial.metrics.writesQueued == 2 })
      do throws(DALError) { try parallel.reset() } catch { refused = error }
    }
    isDone.wait()
    let failures = [refused, nested.withLock(\.self)].compactMap(\.self)
    #expect(failures.map(\.kind) == ["circularWait"])
    #expect(serial.memberCount == (refused == nil ? 0 : 1))
    #expect(parallel.memberCount == (refused == nil ? 0 : 1))
  }
}
