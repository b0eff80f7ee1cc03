// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

extension RecordingService {
  fileprivate static let shared = RecordingService.inMemory()
}

/// A source that tells when somebody listens to it.
private final class ListeningSource: LifecycleSource {
  let isListening = DispatchSemaphore(value: 0)
  private let count = Guarded(0)

  var calls: Int { count.withLock { $0 } }

  func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    guard !events.isEmpty else { return }
    count.withLock { $0 += 1 }
    isListening.signal()
  }

  func proceed(with event: LifecycleEvent) {}
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

  /// The handlers of signals are installed on another thread meanwhile.
  @Test func aServiceListensWhileItsStoreOpens() throws {
    let source = ListeningSource()
    var options = DALService.Options()
    options.reactor = AppStateReactor(source: source)
    let service = DALService(options: options) {
      #expect(source.isListening.wait(timeout: .now() + 60) == .success)
      return try DataStack(inMemory: [Member.self])
    }
    #expect(source.calls == 1, "The source was asked to listen again for the same events.")
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
