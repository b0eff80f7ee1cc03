// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import Testing

@testable import Sporades
@testable import SporadesContainers

/// A program in test mode does not touch the file that a service names.
@Suite struct LaunchSetupTests {
  private struct Places {
    let folder: TemporaryFolder
    let cache: CacheFolder
    var file: URL { folder.file("Members.sqlite") }

    init() throws {
      folder = try TemporaryFolder()
      cache = CacheFolder(
        environment: ["XDG_CACHE_HOME": folder.url.path + "/cache"], application: "tests")
    }

    func names(_ setup: LaunchSetup, at place: URL? = nil, adding name: String? = nil) throws
      -> [String]
    {
      let service = RecordingService(options: RecordingService.options { _ in }) {
        try setup.stack(
          at: place ?? file, .members, [Member.self], SQLiteStoreOptions(), cache)
      }
      if let name { service.writeSync { Member.create(in: $0).firstname = name } }
      let names = try service.readValue { context in
        try Member.all(sortedBy: "firstname", in: context).compactMap(\.firstname)
      }
      try service.close()
      #expect(service.errorsSoFar.isEmpty)
      return names
    }

    func bytes() throws -> Data { try Data(contentsOf: file) }
  }

  @Test func theUsersFileStaysAsItIs() throws {
    let places = try Places()
    #expect(try places.names(.usual, adding: "mine") == ["mine"])
    let before = try places.bytes()
    #expect(try places.names(.inMemory, adding: "a") == ["a"])
    #expect(try places.names(.inMemory) == [])
    #expect(try places.names(.testMode, adding: "b") == ["b"])
    #expect(try places.bytes() == before)
    #expect(try places.names(.usual) == ["mine"])
  }

  /// The arguments may be those of the program's user, who means something else by them.
  @Test func argumentsMeanNothingUnlessTheProgramHonorsThem() throws {
    for (arguments, setup) in [("-InMemory", LaunchSetup.inMemory), ("-TestMode", .testMode)] {
      let all = ["program", arguments, "1"]
      #expect(LaunchSetup.ofProcess(isHonored: false, arguments: all) == .usual)
      #expect(LaunchSetup.ofProcess(isHonored: true, arguments: all) == setup)
    }
    #expect(!DALService.Options().honorsLaunchArguments)
    let container = PersistentContainer(
      name: "Honest", managedObjectModel: try .members, classes: [Member.self])
    #expect(!container.honorsLaunchArguments)
    container.honorsLaunchArguments = true
    #expect(container.honorsLaunchArguments)
  }

  @Test func theDocumentedWayWorks() throws {
    let container = PersistentContainer(
      name: "Honest", managedObjectModel: try .members, classes: [Member.self])
    // snippet: container-launch
    var options = DALService.Options()
    options.honorsLaunchArguments = true
    container.honorsLaunchArguments = true
    // snippet end
    #expect(options.honorsLaunchArguments && container.setup == .usual)
  }

  /// A store that is in memory anyway needs no stand-in.
  @Test func theEmptyDeviceHasNoStandIn() throws {
    let places = try Places()
    let null = URL(fileURLWithPath: "/dev/null")
    #expect(try places.names(.testMode, at: null, adding: "a") == ["a"])
    #expect(try places.names(.testMode, at: null) == [])
    #expect(!FileManager.default.fileExists(atPath: places.cache.folder.path))
  }

  @Test func aFileThatIsNotThereIsNotMade() throws {
    let places = try Places()
    for setup in [LaunchSetup.inMemory, .testMode] {
      #expect(try places.names(setup, adding: "a") == ["a"])
    }
    #expect(!FileManager.default.fileExists(atPath: places.file.path))
    let location = StoreLocation(application: "sporades-\(UUID().uuidString)")
    for setup in [LaunchSetup.inMemory, .testMode] {
      _ = try setup.stack(
        named: "Members", .members, [Member.self], SQLiteStoreOptions(), location, places.cache)
    }
    #expect(!FileManager.default.fileExists(atPath: location.folder.path))
  }

  /// A service finds its data after it was closed and opened again. Files with one name in two folders stay
  /// apart.
  @Test func standInsAreClearedOnceAndKeptApart() throws {
    let places = try Places()
    let other = places.folder.url.appendingPathComponent("other/Members.sqlite")
    #expect(try places.names(.testMode, adding: "a") == ["a"])
    #expect(try places.names(.testMode, at: other, adding: "x") == ["x"])
    #expect(try places.names(.testMode, adding: "b") == ["a", "b"])
    #expect(try places.names(.testMode, at: other) == ["x"])
    let left = places.cache.folder.appendingPathComponent("Members/Members.sqlite")
    #expect(FileManager.default.fileExists(atPath: left.path))
    // Another process begins with an empty store.
    let next = CacheFolder(
      environment: ["XDG_CACHE_HOME": places.folder.url.path + "/cache/"], application: "tests")
    #expect(try next.clearedStore(named: "Members").path == left.path)
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }
}
