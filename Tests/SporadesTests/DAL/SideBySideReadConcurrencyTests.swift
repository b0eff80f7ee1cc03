// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

// Reads that return a value to a task run side by side.
struct SideBySideReadConcurrencyTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: StoreKind.allCases)
  func readsRunAtTheSameTime(_ kind: StoreKind) async throws {
    let service = try kind.service(folder)
    let met = Meeting(of: 6)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<6 {
        group.addTask { try await service.read { _ in met.arrive() } }
      }
      for try await hasMet in group { #expect(hasMet) }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aReadShowsOneStateForItsWholeBlock(_ kind: StoreKind) async throws {
    let service = try kind.service(folder)
    try await service.write { Member.create(in: $0).count = 1 }
    let hasRead = Latch()
    let mayGoOn = Latch()
    let reading = Task(executorPreference: OwnThreadExecutor()) {
      try await service.read { context in
        let before = try Member.count(in: context)
        hasRead.open()
        mayGoOn.wait()
        // The object was not in memory, and neither was its row.
        let values = try Member.all(in: context).map(\.count)
        return ([before], values)
      }
    }
    hasRead.wait()
    let write = service.writeSync { context in
      Member.first(in: context)?.count = 2
      Member.create(in: context)
    }
    #expect(write.failure == nil)
    let later = try await service.read { try Member.count(in: $0) }
    #expect(later == 2)
    mayGoOn.open()
    let (count, values) = try await reading.value
    #expect(count == [1])
    #expect(values == [1])
    #expect(service.errors.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func aReadSeesEveryWriteThatItsCallerKnowsOf(_ kind: StoreKind) async throws {
    let service = try kind.service(folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 1...25 {
            let name = "\(task).\(number)"
            if number.isMultiple(of: 2) {
              try await service.write { Member.create(in: $0).firstname = name }
            } else {
              try service.writeSync { Member.create(in: $0).firstname = name }.get()
            }
            let found = try await service.read {
              try Member.count(where: \.firstname == name, in: $0)
            }
            #expect(found == 1, "\(name)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(service.memberCount == 100)
    #expect(service.errors.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func slowReadsHoldUpNoReadAndNoWrite(_ kind: StoreKind) async throws {
    let service = try kind.service(folder)
    let mayEnd = Latch()
    let executor = OwnThreadExecutor()
    let slow = (0..<8).map { _ in
      let hasBegun = Latch()
      let task = Task(executorPreference: executor) {
        try await service.read { context in
          let count = try Member.count(in: context)
          hasBegun.open()
          mayEnd.wait()
          return count
        }
      }
      return (hasBegun, task)
    }
    for (hasBegun, _) in slow { #expect(hasBegun.wait()) }
    try service.writeSync { Member.create(in: $0) }.get()
    let quick = try await service.read { try Member.count(in: $0) }
    #expect(quick == 1)
    #expect(service.memberCount == 1)
    mayEnd.open()
    for (_, task) in slow { #expect(try await task.value == 0) }
  }

  /// Quick reads run on the threads of tasks. If reads wait for tasks on all of them, the system adds another thread.
  @Test(arguments: StoreKind.allCases)
  func readsThatWaitForATaskLeaveItAThread(_ kind: StoreKind) async throws {
    let service = try kind.service(folder)
    for _ in 0..<200 { #expect(try await service.read { try Member.count(in: $0) } == 0) }
    let waiting = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task {
        try await service.read { _ in
          let done = Latch()
          Task { done.open() }
          return done.wait()
        }
      }
    }
    for task in waiting { #expect(try await task.value) }
  }

  @Test(arguments: StoreKind.allCases)
  func aTaskInsideAWriteMayRead(_ kind: StoreKind) throws {
    let service = try kind.service(folder)
    try service.writeSync { context in
      Member.create(in: context)
      let done = Latch()
      Task(executorPreference: OwnThreadExecutor()) {
        let count = try await service.read { try Member.count(in: $0) }
        #expect(count == 0)
        done.open()
      }
      #expect(done.wait())
    }.get()
    #expect(service.memberCount == 1)
  }

  @Test func readsThatWaitForAWriteLeaveRoomForTheReadThatTheWriteWaitsFor() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    let hasBegun = Latch()
    let mayRead = Latch()
    service.writeAsync { _ in
      hasBegun.open()
      mayRead.wait()
      let done = Latch()
      Task(executorPreference: OwnThreadExecutor()) {
        _ = try await service.read { try Member.count(in: $0) }
        done.open()
      }
      #expect(done.wait())
    }
    hasBegun.wait()
    let executor = OwnThreadExecutor()
    let reading = (0..<80).map { _ in
      Task(executorPreference: executor) {
        try await service.read { _ in try service.writeSync { Member.create(in: $0) }.get() }
      }
    }
    mayRead.open()
    for task in reading { try await task.value }
    #expect(service.memberCount == 80)
  }

  /// Only a thread that is free can run a write for which nobody waits.
  @Test func readsThatWaitForAWriteLeaveThreadsForWrites() async throws {
    let service = RecordingService.inMemory()
    let mayEnd = Latch()
    service.writeAsync { _ in mayEnd.wait() }
    let executor = OwnThreadExecutor()
    let write: @Sendable () async throws -> Void = {
      try await service.read { _ in try service.writeSync { Member.create(in: $0) }.get() }
    }
    let first = Task(executorPreference: executor, operation: write)
    #expect(eventually { service.metrics.writesQueued == 2 })
    service.writeAsync { Member.create(in: $0) }
    let others = (0..<1_000).map { _ in Task(executorPreference: executor, operation: write) }
    #expect(eventually { service.metrics.writesQueued >= 100 })
    mayEnd.open()
    #expect(eventually { service.metrics.writesQueued == 0 })
    for task in [first] + others { try await task.value }
    #expect(service.memberCount == 1_002)
  }

  @Test func aReadKeepsNothingOfItsBlockAfterItsEnd() async throws {
    let service = RecordingService.inMemory()
    weak var held: Meeting?
    do {
      let object = Meeting(of: 1)
      held = object
      #expect(try await service.read { _ in object.arrive() })
    }
    #expect(eventually { held == nil })
  }

  @Test func aReadBeginsWithoutObjectsOfEarlierOnes() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    try await service.write { Member.create(in: $0).count = 1 }
    for value in 1...20 {
      let found = try await service.read { context in
        #expect(context.registeredObjects.isEmpty)
        context.userInfo["mark"] = value
        return try Member.all(in: context).map(\.count)
      }
      #expect(found == [value])
      try await service.write { try Member.first(in: $0)?.count = value + 1 }
    }
  }

  @Test func aResetInsideAReadStaysInItsState() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    try await service.write { _ = Member.create(in: $0) }
    let counts = try await service.read { context in
      service.writeSync { Member.create(in: $0) }
      context.reset()
      return [try Member.count(in: context), try Member.all(in: context).count]
    }
    #expect(counts == [1, 1])
    #expect(service.memberCount == 2)
  }

  @Test func mergingInsideAReadStaysInItsState() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    try await service.write { Member.create(in: $0).count = 1 }
    let stack = try service.stack()
    let counts = try await service.read { context in
      let member = try Member.first(in: context)
      var counts = [member?.count]
      let save = try stack.newContext().performAndWait { other in
        var save: DidSave?
        let observation = other.observe { save = $0.notification.didSave ?? save }
        try Member.first(in: other)?.count = 2
        Member.create(in: other).count = 3
        try other.save()
        observation.end()
        return try #require(save)
      }
      try context.mergeChanges(from: save)
      counts.append(member?.count)
      return counts + [try Member.count(in: context)]
    }
    #expect(counts == [1, 1, 1])
    #expect(service.memberCount == 2)
  }

  @Test func aReadKeepsItsState() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    try await service.write { _ = Member.create(in: $0) }
    for token in [QueryGenerationToken.current, nil] {
      let error = await #expect(throws: DALError.self) {
        try await service.read { try $0.setQueryGeneration(from: token) }
      }
      #expect(error?.description.contains("shows one state of the store to the end") == true)
    }
    let counts = try await service.read { context in
      try context.setQueryGeneration(from: context.queryGenerationToken)
      service.writeSync { Member.create(in: $0) }
      let before = try Member.count(in: context)
      context.reset()
      return [before, try Member.count(in: context)]
    }
    #expect(counts == [1, 1])
  }

  @Test func anotherContextCanShowTheStateOfARead() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    try await service.write { _ = Member.create(in: $0) }
    let token = try await service.read { $0.queryGenerationToken }
    try await service.write { _ = Member.create(in: $0) }
    let other = try service.stack().newContext()
    let counts = try await other.perform { context in
      try context.setQueryGeneration(from: token)
      let old = try Member.count(in: context)
      try context.setQueryGeneration(from: nil)
      return [old, try Member.count(in: context)]
    }
    #expect(counts == [1, 2])
  }

  @Test func aSaveInsideAReadIsRefusedAndItsChangesAreForgotten() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    await #expect(throws: DALError.self) {
      try await service.read { context in
        Member.create(in: context)
        try context.save()
      }
    }
    #expect(service.errors.map(\.kind) == ["mutationInRead"])
    #expect(service.memberCount == 0)
  }

  @Test func nestedWritesAreShownByMainAndByTheNextRead() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    let counts = try await service.read { context in
      try service.writeSync { Member.create(in: $0) }.get()
      return [try Member.count(in: context), service.memberCount]
    }
    #expect(counts == [0, 1])
    #expect(try await service.read { try Member.count(in: $0) } == 1)
  }

  @Test func aReadOfAServiceThatWasEmptiedOrClosed() async throws {
    let service = RecordingService.at(folder.file("store.sqlite"))
    try await service.write { _ = Member.create(in: $0) }
    #expect(try await service.read { try Member.count(in: $0) } == 1)
    try service.reset()
    #expect(try await service.read { try Member.count(in: $0) } == 0)
    try service.close()
    await #expect(throws: DALError.self) { try await service.read { try Member.count(in: $0) } }
  }

  @Test func aStoreWhoseCommitsFailIsReadOnMain() async throws {
    let (double, service) = StoreDouble.withService()
    let isFull = Guarded(true)
    double.play { (call) throws(StoreError) in
      if call == .commit, isFull.withLock(\.self) { throw StoreError(.full, "Scripted.") }
    }
    try await service.write { _ = Member.create(in: $0) }
    let (count, token) = try await service.read {
      (try Member.count(in: $0), $0.queryGenerationToken)
    }
    #expect(count == 1)
    #expect(token == nil)
    #expect(eventually { service.errorsSoFar.contains { $0.kind == "notDurable" } })
    isFull.withLock { $0 = false }
    #expect(eventually { service.metrics.commits.rowsWaiting == 0 })
    let pinned = try await service.read { $0.queryGenerationToken }
    #expect(pinned != nil)
  }

  @Test func manyReadsLeaveFewConnections() async throws {
    let file = folder.file("store.sqlite")
    let service = RecordingService.at(file)
    for _ in 0..<20 { _ = try await service.read { try Member.count(in: $0) } }
    // The first connection after the writer's served all reads, because they came one after the other.
    #expect(try descriptors(of: file) <= 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask { _ = try await service.read { try Member.count(in: $0) } }
      }
      try await group.waitForAll()
    }
    // A connection of each worker at most: SQLite closes a file only when no other connection has locked it.
    #expect(try descriptors(of: file) <= 3 + 64)
  }

  /// The number of descriptors that the process has of the file.
  private func descriptors(of file: URL) throws -> Int {
    let folder = "/proc/self/fd"
    let path = file.resolvingSymlinksInPath().path
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      // try? because a descriptor of another test may be closed meanwhile.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path
    }
  }
}

/// Threads that wait for each other.
private final class Meeting: Sendable {
  private let missing: Guarded<Int>
  private let complete = Latch()

  init(of count: Int) { missing = Guarded(count) }

  /// Blocks until all have arrived; returns false if the patience ends first.
  func arrive() -> Bool {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { complete.open() }
    return complete.wait()
  }
}
