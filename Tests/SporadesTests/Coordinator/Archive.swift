// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesTesting
import Testing

/// Albums and tracks that come with a program, and the remarks of its user.
enum Archive {
  @Entity final class Album: ManagedObject {
    var name: String = ""
    @Relationship(deleteRule: .cascade, inverse: \Track.album) var tracks: Set<Track>
  }

  @Entity final class Track: ManagedObject {
    var title: String = ""
    var plays: Int = 0
    @Attribute(.externalStorage) var sound: Data?
    var album: Album?
  }

  @Entity final class Remark: ManagedObject {
    var text: String = ""
    var trackURI: URL?
  }

  static let model = Result {
    try ManagedObjectModel(
      [Album.self, Track.self, Remark.self],
      configurations: ["Catalogue": [Album.self, Track.self], "Remarks": [Remark.self]])
  }

  static let classes: [ManagedObject.Type] = [Album.self, Track.self, Remark.self]

  /// The kinds of stores below a stack.
  enum Mix: CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, sqlite, files, memoryAndFile, fileAndMemory

    var testDescription: String { "\(self)" }

    func stores(
      _ folder: TemporaryFolder, _ first: String? = nil, _ second: String? = nil
    ) throws -> (first: any PersistentStore, second: any PersistentStore) {
      let model = try Archive.model.get()
      func memory(_ configuration: String?) throws -> any PersistentStore {
        try MemoryStore(model: model, configuration: configuration)
      }
      func sqlite(_ configuration: String?, _ name: String? = nil) throws -> any PersistentStore {
        var options = SQLiteStoreOptions()
        options.configuration = configuration
        guard let name else { return try SQLiteStore(inMemory: model, options: options) }
        return try SQLiteStore(url: folder.file(name), model: model, options: options)
      }
      return switch self {
      case .memory: (try memory(first), try memory(second))
      case .sqlite: (try sqlite(first), try sqlite(second))
      case .files: (try sqlite(first, "1.sqlite"), try sqlite(second, "2.sqlite"))
      case .memoryAndFile: (try memory(first), try sqlite(second, "2.sqlite"))
      case .fileAndMemory: (try sqlite(first, "1.sqlite"), try memory(second))
      }
    }
  }

  /// A stack over two stores.
  struct Stack {
    let folder: TemporaryFolder
    let stack: DataStack
    let coordinator: PersistentStoreCoordinator
    let first: any PersistentStore
    let second: any PersistentStore

    init(_ mix: Mix, _ one: String? = nil, _ two: String? = nil) throws {
      folder = try TemporaryFolder()
      (first, second) = try mix.stores(folder, one, two)
      coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
      try coordinator.addPersistentStore(first)
      try coordinator.addPersistentStore(second)
      stack = DataStack(store: coordinator, classes: Archive.classes)
    }

    /// Inserts tracks into a store. Each character of the text is a title.
    func add(_ titles: String, to store: any PersistentStore) throws {
      try stack.newContext().performAndWait { context in
        for title in titles {
          let track = Track.create(in: context)
          track.title = String(title)
          try context.assign(track, to: store)
        }
        try context.save()
      }
    }

    func titles(_ store: any PersistentStore) throws -> String {
      var request = FetchRequest("Track", sortedBy: [SortTerm("title")])
      request.affectedStores = [store.identifier]
      return try stack.main.performAndWait { try $0.fetch(Track.self, request).titles }
    }
  }
}

extension Sequence<Archive.Track> {
  var titles: String { map(\.title).joined() }
}
