// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

struct AsyncServiceTests {
  private let service = RecordingService.inMemory()

  @Test func writesAndReadsReturnValues() async throws {
    let id = try await service.write { context -> ManagedObjectID in
      let member = Member.create(in: context)
      member.firstname = "Jane"
      try context.obtainPermanentIDs(for: [member])
      return member.objectID
    }
    let names = try await service.read {
      try Member.all(sortedBy: \.lastname, in: $0).map(\.firstname)
    }
    #expect(names == ["Jane"])
    let found = try await service.read { try $0.existingObject(with: id).objectID }
    #expect(found == id)
    #expect(service.errors.isEmpty)
  }

  @Test func failuresAreThrownWithTheirTypeAndToldOnce() async {
    do {
      _ = try await service.write { Member.create(in: $0).nickname = "much too long" }
      Issue.record("The write should have failed.")
    } catch {
      #expect(error.kind == "validation")
    }
    do {
      _ = try await service.read { context -> Int in
        Member.create(in: context)
        return 1
      }
      Issue.record("The read should have failed.")
    } catch {
      #expect(error.kind == "mutationInRead")
    }
    #expect(service.errors.map(\.kind) == ["validation", "mutationInRead"])
  }

  @Test func aTaskCancelledBeforeItsTurnWritesNothing() async throws {
    let service = service
    let mayEnd = Latch()
    service.writeAsync { _ in mayEnd.wait() }
    let waiting = Task {
      do throws(DALError) {
        try await service.write { _ = Member.create(in: $0) }
        return "written"
      } catch { return error.kind }
    }
    waiting.cancel()
    mayEnd.open()
    #expect(await waiting.value == "cancelled")
    #expect(service.memberCount == 0)
    #expect(service.errors.isEmpty)
  }

  @Test func aTaskCancelledBeforeItsTurnReadsNothing() async {
    let service = service
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(DALError) {
        return "\(try await service.read { try Member.count(in: $0) })"
      } catch { return error.kind }
    }
    #expect(await task.value == "cancelled")
    #expect(service.errors.isEmpty)
  }

  @Test func manyTasksShareAService() async throws {
    let service = service
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          _ = try? await service.write { Member.create(in: $0).count = number }
          _ = try? await service.read { try Member.count(in: $0) }
        }
      }
    }
    #expect(service.memberCount == 100)
    let sum = try await service.read { try Member.sum(\.count, in: $0) }
    #expect(sum == 4950)
  }

  @Test func aClosedServiceThrows() async throws {
    try service.close()
    await #expect(throws: DALError.self) { try await service.read { try Member.count(in: $0) } }
    await #expect(throws: DALError.self) {
      try await service.write { _ in }
    }
    #expect(service.errorsSoFar.map(\.kind) == ["closed", "closed"])
  }
}
