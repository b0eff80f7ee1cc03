// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity private final class Eager: ManagedObject {
  var name: String?
  @Ignored var save: (() -> Void)?
  override func willSave() { save?() }
}

// A wait that would never end, and the use of an object outside of its context, trap at once.
struct MisuseTests {
  @Test func aCircleOfWaitsTraps() async {
    await #expect(processExitsWith: .failure) {
      let stack = try RecordingService.inMemory().stack()
      let (first, second) = (stack.newContext(), stack.newContext())
      let (hasFirst, hasSecond) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      DispatchQueue(label: "test").async {
        second.performAndWait { _ in
          hasSecond.signal()
          hasFirst.wait()
          first.performAndWait { _ in }
        }
      }
      first.performAndWait { _ in
        hasFirst.signal()
        hasSecond.wait()
        second.performAndWait { _ in }
      }
    }
  }

  @Test func aFlushInsideAnAwaitedReadTraps() async {
    await #expect(processExitsWith: .failure) {
      let service = RecordingService.inMemory()
      _ = try await service.read { _ in service.flush() }
    }
  }

  /// A later context may have the memory address of an earlier one.
  @Test func linkingToAnObjectOfAnEarlierBlockTraps() async {
    await #expect(processExitsWith: .failure) {
      let service = RecordingService.inMemory()
      var member: Member?
      service.writeSync { member = Member.create(in: $0) }
      service.writeSync { Animal.create(in: $0).owner = member }
    }
  }

  @Test func anObjectOfAnEarlierBlockCanStillBeRead() {
    let service = RecordingService.inMemory()
    var member: Member?
    service.writeSync { context in
      member = Member.create(in: context)
      member?.firstname = "Ann"
    }
    #expect(member?.firstname == "Ann")
  }

  @Test func closingInsideABlockTraps() async {
    await #expect(processExitsWith: .failure) {
      let service = RecordingService.inMemory { $0.allowsConcurrentWritings = true }
      service.writeSync { _ in try service.close() }
    }
    await #expect(processExitsWith: .failure) {
      let service = RecordingService.inMemory()
      service.read { _ in try service.reset() }
    }
    await #expect(processExitsWith: .failure) {
      let service = RecordingService.inMemory()
      service.writeSync { _ in service.flush() }
    }
  }

  @Test func writingFromAHookOfASaveTraps() async {
    await #expect(processExitsWith: .failure) {
      let service = RecordingService(
        inMemory: [Eager.self], options: RecordingService.options { _ in })
      service.writeSync { context in
        Eager.create(in: context).save = { service.writeSync { _ in } }
      }
    }
  }

  @Test func anObjectUsedOutsideItsBlockTraps() async {
    await #expect(processExitsWith: .failure) {
      let service = RecordingService.inMemory()
      var member: Member?
      service.writeSync { Member.create(in: $0).firstname = "a" }
      service.read { member = Member.first(in: $0) }
      member?.firstname = "b"
    }
  }
}
