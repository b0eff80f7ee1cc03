// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Entity private final class Picture: ManagedObject {
  @Attribute(.externalStorage) var pixels: Data?
}

struct ResetTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func expectReset(_ service: RecordingService) throws {
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.memberCount == 1)
    try service.reset()
    #expect(service.memberCount == 0)
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.memberCount == 1)
    #expect(service.errors.isEmpty)
  }

  @Test func emptiesAFile() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    try expectReset(service)
    try service.close()
    #expect(RecordingService.at(folder.file("a.sqlite")).memberCount == 1)
  }

  @Test func emptiesAStoreInMemoryAndNoFileOfTheSameName() throws {
    let file = RecordingService.at(folder.file("a.sqlite"))
    let valueOutsideRow = RecordingService.at(folder.file("b.sqlite"))
    try file.writeSync { Member.create(in: $0) }.get()
    try valueOutsideRow.writeSync { Member.create(in: $0) }.get()
    try expectReset(RecordingService.inMemory())
    #expect(file.memberCount == 1)
    try file.reset()
    #expect(valueOutsideRow.memberCount == 1)
  }

  @Test func heldObjectsBecomeFaultsWithoutARow() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    try service.writeSync { Member.create(in: $0).firstname = "a" }.get()
    var held: Member?
    try service.read { held = Member.first(in: $0) }.get()
    try service.reset()
    try service.read { context in
      #expect(Member.all(in: context).isEmpty)
      #expect(held?.isFault == true)
      #expect(held?.firstname == nil)
    }.get()
    let chain = service.read { context in #expect(held?.inContext(context) == nil) }
    #expect(chain.failure?.kind == "context")
  }

  @Test func otherContextsOfTheStackForgetToo() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    try service.writeSync { Member.create(in: $0) }.get()
    let observer = try service.stack().newContext(name: "observer")
    #expect(try observer.performAndWait { try Member.all(in: $0).count } == 1)
    try service.reset()
    #expect(try observer.performAndWait { try Member.all(in: $0).count } == 0)
    #expect(observer.performAndWait { $0.registeredObjects.isEmpty })
  }

  @Test func keepsACopyWithWhatWasAcceptedLast() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    for _ in 0..<3 { try service.writeSync { Member.create(in: $0) }.get() }
    try service.reset(keepingCopyAt: folder.file("copy.sqlite"))
    #expect(service.memberCount == 0)
    let copy = RecordingService.at(folder.file("copy.sqlite"))
    #expect(copy.memberCount == 3)
    try copy.writeSync { Member.create(in: $0) }.get()
    try copy.close()
  }

  @Test func aCopyHasTheLargeValuesToo() throws {
    func service(_ name: String) -> RecordingService {
      RecordingService(
        sqlite: folder.file(name), entities: [Picture.self],
        options: RecordingService.options { _ in })
    }
    let pixels = Data(repeating: 7, count: 300_000)
    let original = service("a.sqlite")
    try original.writeSync { Picture.create(in: $0).pixels = pixels }.get()
    try original.reset(keepingCopyAt: folder.file("copy.sqlite"))
    try original.close()
    try service("copy.sqlite").read { #expect(Picture.first(in: $0)?.pixels == pixels) }.get()
  }

  @Test func aCopyThatCannotBeMadeKeepsTheRows() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    try service.writeSync { Member.create(in: $0) }.get()
    let place = folder.file("taken")
    try Data("mine".utf8).write(to: place)
    #expect(throws: DALError.self) { try service.reset(keepingCopyAt: place) }
    #expect(throws: DALError.self) {
      try service.reset(keepingCopyAt: folder.file("no/such/folder.sqlite"))
    }
    #expect(service.memberCount == 1)
    #expect(try Data(contentsOf: place) == Data("mine".utf8))
    #expect(service.errors.count == 2)
  }

  @Test func aStoreInMemoryCanBeCopiedToo() throws {
    let stack = try DataStack(inMemory: [Member.self])
    let service = RecordingService(stack: stack, options: RecordingService.options { _ in })
    try service.writeSync { Member.create(in: $0) }.get()
    try service.reset(keepingCopyAt: folder.file("copy.sqlite"))
    #expect(RecordingService.at(folder.file("copy.sqlite")).memberCount == 1)
    let plain = RecordingService.over(MemoryStore(model: stack.model))
    #expect(throws: DALError.self) { try plain.reset(keepingCopyAt: folder.file("no.sqlite")) }
  }

  @Test func aResetThatFailsKeepsTheRows() throws {
    let (double, service) = StoreDouble.withService()
    try service.writeSync { Member.create(in: $0) }.get()
    double.fail(.removeAll, times: 1)
    #expect(throws: DALError.self) { try service.reset() }
    #expect(service.errors.map(\.kind) == ["store"])
    #expect(service.memberCount == 1)
    try service.reset()
    #expect(service.memberCount == 0)
  }

  @Test func aClosedServiceCannotBeReset() throws {
    let service = RecordingService.at(folder.file("a.sqlite"))
    try service.close()
    try service.close()
    #expect(throws: DALError.self) { try service.reset() }
    #expect(service.errorsSoFar.map(\.kind) == ["closed"])
  }
}
