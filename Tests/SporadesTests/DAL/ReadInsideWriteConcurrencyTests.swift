// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import Testing

// A read that writes, beside a write that reads.
struct ReadInsideWriteConcurrencyTests {
  @Test func readsThatWriteAndWritesThatReadNeverWaitForEachOther() throws {
    let folder = try TemporaryFolder()
    let service = RecordingService.at(folder.file("store.sqlite"))
    inParallel(4) { number in
      for _ in 0..<100 {
        if number.isMultiple(of: 2) {
          service.read { _ in service.writeSync { Member.create(in: $0) } }
        } else {
          service.writeSync { context in
            let before = service.memberCount
            Member.create(in: context)
            #expect(service.memberCount == before)
          }
        }
      }
    }
    #expect(service.memberCount == 400)
    #expect(service.errors.isEmpty)
  }

  @Test func aWriteReadsWhileMainIsHeldByAReadThatWaitsForTheWrite() throws {
    let service = RecordingService.inMemory()
    let isWriting = Latch()
    let isReading = Latch()
    inParallel(2) { number in
      if number == 0 {
        service.read { _ in
          isReading.open()
          isWriting.wait()
          service.writeSync { Member.create(in: $0) }
        }
      } else {
        service.writeSync { context in
          Member.create(in: context)
          isWriting.open()
          isReading.wait()
          for _ in 0..<100 { #expect(service.memberCount == 0) }
        }
      }
    }
    #expect(service.memberCount == 2)
    #expect(service.errors.isEmpty)
  }

  @Test func aReadInsideAWriteUndoesChangesAndRefusesSaves() {
    let service = RecordingService.inMemory()
    service.writeSync { context in
      Member.create(in: context)
      let read = service.read { Member.create(in: $0) }
      #expect(read.failure?.kind == "mutationInRead")
    }
    #expect(service.memberCount == 1)
    #expect(service.errors.map(\.kind) == ["mutationInRead"])
  }
}
