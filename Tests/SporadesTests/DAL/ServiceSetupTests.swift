// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Entity private final class Stranger: ManagedObject { var name: String? }

private final class Shared: DALService, @unchecked Sendable {
  static let told = Guarded<[String]>([])
  static let shared = Shared(
    inMemory: [Member.self],
    options: {
      var options = Options()
      options.reactor = nil
      return options
    }())
  override func handleError(_ error: DALError) { Self.told.withLock { $0.append(error.kind) } }
}

struct ServiceSetupTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func aServiceIsReadyWhenItsInitializerReturns() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    #expect(FileManager.default.fileExists(atPath: folder.file("a.sqlite").path))
    #expect(service.memberCount == 0)
    _ = try service.stack()
  }

  @Test func aServiceCanBeMadeInTheBackground() async throws {
    let file = folder.file("a.sqlite")
    let service = await Task.detached { RecordingService.at(file) }.value
    #expect(service.memberCount == 0)
  }

  @Test func writesAreThereWhenTheStoreIsOpenedAgain() throws {
    let first = RecordingService.at(folder.file("a.sqlite"))
    try first.writeSync { context in
      let member = Member.create(in: context)
      member.firstname = "John"
      Animal.create(in: context).owner = member
    }.get()
    try first.close()
    let second = RecordingService.at(folder.file("a.sqlite"))
    try second.read { context in
      #expect(Member.first(in: context)?.firstname == "John")
      #expect(Member.first(in: context)?.animals.count == 1)
    }.get()
    try second.close()
  }

  @Test func immediateWritesAreInTheFileWhenTheyReturn() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    let other = RecordingService.at(folder.file("a.sqlite"))
    for number in 1...5 {
      try service.writeSync(durability: .immediate) { Member.create(in: $0) }.get()
      #expect(other.memberCount == number)
    }
  }

  @Test func eventualWritesAreInTheFileSoon() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    let other = RecordingService.at(folder.file("a.sqlite"))
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(eventually { other.memberCount == 1 })
  }

  @Test func twoServicesWriteToOneFile() throws {
    let one = RecordingService.at(folder.file("a.sqlite"))
    let two = RecordingService.at(folder.file("a.sqlite"))
    inParallel(2) { number in
      let service = number == 0 ? one : two
      for _ in 0..<50 { service.writeSync(durability: .immediate) { Member.create(in: $0) } }
    }
    #expect(one.errors.isEmpty)
    #expect(two.errors.isEmpty)
    #expect(one.memberCount == 100)
    #expect(two.memberCount == 100)
  }

  @Test func oneModelServesSeveralStacksAndOneClassSeveralModels() throws {
    let model = try ManagedObjectModel.members
    let wider = try ManagedObjectModel([Member.self, Stranger.self])
    let stacks = [
      try DataStack(inMemory: model, classes: [Member.self]),
      try DataStack(inMemory: model, classes: [Member.self]),
      try DataStack(inMemory: wider, classes: [Member.self, Stranger.self]),
    ]
    let options = RecordingService.options { _ in }
    let services = stacks.map { RecordingService(stack: $0, options: options) }
    for (number, service) in services.enumerated() {
      for _ in 0...number { try service.writeSync { Member.create(in: $0) }.get() }
    }
    #expect(services.map(\.memberCount) == [1, 2, 3])
    var id: ManagedObjectID?
    services[0].read { id = Member.first(in: $0)?.objectID }
    let foreign = try #require(id)
    services[1].read { context in
      #expect(throws: ContextError.self) { try context.object(with: foreign) }
    }
  }

  @Test func aSharedSubclassHandlesItsOwnErrors() {
    Shared.shared.writeSync { Member.create(in: $0).nickname = "much too long" }
    #expect(Shared.told.withLock { $0 } == ["validation"])
  }

  @Test func servicesComeAndGoByTheThousand() throws {
    let model = try ManagedObjectModel.members
    weak var last: RecordingService?
    for _ in 0..<2000 {
      let store = MemoryStore(model: model)
      let service = RecordingService.over(store)
      service.writeAsync { Member.create(in: $0) }
      last = service
    }
    #expect(eventually { last == nil })
  }

  @Test func aServiceOverASharedStackLeavesNothingBehind() throws {
    let stack = try DataStack(inMemory: [Member.self])
    for _ in 0..<100 {
      let service = RecordingService(stack: stack, options: RecordingService.options { _ in })
      try service.writeSync { Member.create(in: $0) }.get()
    }
    let service = RecordingService(stack: stack, options: RecordingService.options { _ in })
    #expect(service.memberCount == 100)
  }

  // MARK: - Opening that fails

  private func expectCannotOpen(_ url: URL, entities: [ManagedObject.Type] = [Member.self]) {
    let service = RecordingService(
      sqlite: url, entities: entities, options: RecordingService.options { _ in })
    #expect(service.errorsSoFar.map(\.kind) == ["cannotOpen"])
    let calls = Calls()
    let chain = service.writeSync({ _ in }, completion: calls.completion)
    #expect(chain.failure?.kind == "cannotOpen")
    #expect(service.read { _ in }.failure?.kind == "cannotOpen")
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["cannotOpen"])
    #expect(service.flush().isComplete)
    #expect(throws: DALError.self) { try service.reset() }
    #expect(throws: Never.self) { try service.close() }
  }

  @Test func aFileThatIsNoStoreIsLeftAsItIs() throws {
    let url = folder.file("a.sqlite")
    let junk = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
    try junk.write(to: url)
    expectCannotOpen(url)
    #expect(try Data(contentsOf: url) == junk)
  }

  @Test func aStoreOfAnotherModelIsLeftAsItIs() throws {
    let url = folder.file("a.sqlite")
    let service = RecordingService.at(url)
    try service.writeSync { Member.create(in: $0) }.get()
    try service.close()
    let before = try Data(contentsOf: url)
    expectCannotOpen(url, entities: [Stranger.self])
    #expect(try Data(contentsOf: url) == before)
    #expect(RecordingService.at(url).memberCount == 1)
  }

  @Test func aPlaceThatCannotHoldAStore() throws {
    expectCannotOpen(folder.url)
    expectCannotOpen(folder.file("missing/folder/a.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("missing").path))
  }

  @Test func openingThatThrowsAnythingElse() {
    struct Mine: Error {}
    let service = RecordingService(options: RecordingService.options { _ in }) { throw Mine() }
    guard case .cannotOpen(let error)? = service.errorsSoFar.first?.code else {
      Issue.record("Not told.")
      return
    }
    #expect(error is Mine)
  }
}
