// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesSQLite
import Testing

/// As in Core Data, a store at `/dev/null` is in memory, and each is a store of its own.
@Suite struct NullDeviceTests {
  private static let null = URL(fileURLWithPath: "/dev/null")

  private func names(_ stack: DataStack, adding name: String) throws -> [String?] {
    let service = DALService(stack: stack, options: RecordingService.options { _ in })
    try service.writeSync { Member.create(in: $0).firstname = name }.get()
    return try service.readValue { try Member.all(in: $0).map(\.firstname) }
  }

  @Test func stacksAndServices() throws {
    for name in ["a", "b"] {
      #expect(
        try names(DataStack(sqlite: Self.null, entities: [Member.self]), adding: name) == [name])
      let service = RecordingService.at(Self.null)
      #expect(try names(service.stack(), adding: name) == [name])
      #expect(try service.stack().store.path == nil)
      try service.close()
    }
  }

  @Test func aLinkToTheDevice() throws {
    let folder = try TemporaryFolder()
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: Self.null)
    #expect(try names(DataStack(sqlite: link, entities: [Member.self]), adding: "a") == ["a"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["link"])
  }

  @Test func containers() throws {
    for _ in 0..<2 {
      let container = try PersistentContainer(name: "Tests", entities: [Member.self])
      container.persistentStoreDescriptions = [PersistentStoreDescription(url: Self.null)]
      let errors = Calls()
      container.loadPersistentStores { description, error in
        #expect(error == nil)
        #expect(description.url == Self.null)
        errors.completion(nil)
      }
      #expect(errors.wait())
      #expect(try names(container.stack, adding: "a") == ["a"])
    }
  }

  @Test func coordinators() throws {
    let coordinator = PersistentStoreCoordinator(model: try .members)
    let first = try coordinator.addPersistentStore(type: .sqlite, at: Self.null)
    #expect(first.path == nil)
    #expect(coordinator.url(for: first) == nil)
    let folder = try TemporaryFolder()
    let file = folder.file("a.sqlite")
    let stored = try coordinator.migratePersistentStore(first, to: file)
    #expect(stored.path == file.path)
    let again = try coordinator.migratePersistentStore(stored, to: Self.null)
    #expect(again.path == nil)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aCopyThereIsRefused() throws {
    let service = RecordingService.inMemory()
    #expect(throws: DALError.self) { try service.copy(to: Self.null) }
    #expect(throws: DALError.self) { try service.copy(to: Self.null, replacing: true) }
  }
}
