// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

extension RecordingService {
  fileprivate static let shared = RecordingService.inMemory()
}

/// A service can be made on another thread, while a task or a program goes on.
@Suite struct OpeningLaterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aTaskAwaitsAService() async throws {
    let file = folder.file("a.sqlite")
    let options = RecordingService.options { _ in }
    let service = try await RecordingService.open(
      RecordingService(sqlite: file, entities: [Member.self], options: options))
    try service.writeSync { Member.create(in: $0).firstname = "Ada" }.get()
    #expect(service.memberCount == 1)
    try service.close()
  }

  @Test func theDocumentedWayWorks() async throws {
    typealias AppData = RecordingService
    // snippet: opening-later
    let data = try await AppData.open(.shared)
    // snippet end
    #expect(data === AppData.shared)
  }

  @Test func aTaskAwaitsASharedService() async throws {
    let first = try await RecordingService.open(.shared)
    let second = try await RecordingService.open(.shared)
    #expect(first === second)
    #expect(first.errors.isEmpty)
  }

  @Test func aTaskGetsTheErrorAndTheServiceReportsItOnce() async throws {
    struct Mine: Error {}
    let made = Guarded<RecordingService?>(nil)
    await #expect(throws: DALError.self) {
      try await RecordingService.open(
        {
          let service = RecordingService(options: RecordingService.options { _ in }) {
            throw Mine()
          }
          made.withLock { $0 = service }
          return service
        }())
    }
    #expect(made.withLock { $0 }?.errors.map(\.kind) == ["cannotOpen"])
  }

  @Test func aCompletionGetsTheServiceOrTheErrorOnce() throws {
    let calls = Calls()
    let completions = DispatchQueue(label: "test")
    let isMine = DispatchSpecificKey<Bool>()
    completions.setSpecific(key: isMine, value: true)
    let files = [folder.file("a.sqlite"), folder.url]
    for file in files {
      RecordingService.open(
        RecordingService(
          sqlite: file, entities: [Member.self],
          options: RecordingService.options { $0.completionQueue = completions })
      ) { result in
        #expect(DispatchQueue.getSpecific(key: isMine) == true)
        switch result {
        case .success(let service):
          #expect(service.memberCount == 0)
          calls.completion(nil)
        case .failure(let error): calls.completion(error)
        }
      }
      #expect(calls.wait())
    }
    #expect(calls.all.map { $0?.kind } == [nil, "cannotOpen"])
  }

  @Test func theMainThreadIsNotBlockedByAnOpening() async throws {
    let latch = Latch()
    async let service = RecordingService.open(
      {
        latch.wait()
        return RecordingService.inMemory()
      }())
    latch.open()
    #expect(try await service.memberCount == 0)
  }
}
