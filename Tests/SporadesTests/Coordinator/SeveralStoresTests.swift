// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import Testing

/// One graph of objects over two stores.
@Suite struct SeveralStoresTests {
  typealias Album = Archive.Album
  typealias Track = Archive.Track
  typealias Remark = Archive.Remark
  typealias Mix = Archive.Mix

  @Test(arguments: Mix.allCases)
  func newObjectsGoToTheStoreOfTheirConfiguration(mix: Mix) throws {
    let archive = try Archive.Stack(mix, "Catalogue", "Remarks")
    let (track, remark) = try archive.stack.newContext().performAndWait { context in
      let album = Album.create(in: context)
      let track = Track.create(in: context)
      track.album = album
      let remark = Remark.create(in: context)
      try context.save()
      #expect(album.tracks == [track])
      return (track.objectID, remark.objectID)
    }
    #expect(archive.stack.persistentStore(for: track) === archive.first)
    #expect(archive.stack.persistentStore(for: remark) === archive.second)
    #expect(track.storeIdentifier == archive.first.identifier)
    #expect(remark.uriRepresentation().absoluteString.contains(archive.second.identifier))
    #expect(
      archive.stack.managedObjectID(forURIRepresentation: remark.uriRepresentation()) == remark)
    let stranger = try DataStack(inMemory: Archive.classes)
    #expect(stranger.managedObjectID(forURIRepresentation: remark.uriRepresentation()) == nil)
    #expect(stranger.persistentStore(for: remark) == nil)
    try archive.stack.main.performAndWait { context throws in
      #expect(try Track.first(in: context)?.album?.tracks.count == 1)
      #expect(try Remark.count(in: context) == 1)
    }
  }

  @Test(arguments: Mix.allCases)
  func equalKeysOfTwoStoresAreTwoObjects(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    try archive.add("ac", to: archive.first)
    try archive.add("bd", to: archive.second)
    #expect(try archive.titles(archive.first) == "ac")
    #expect(try archive.titles(archive.second) == "bd")
    try archive.stack.newContext().performAndWait { context in
      let tracks = try Track.all(sortedBy: \.title, in: context)
      #expect(tracks.titles == "abcd")
      #expect(Set(tracks.map(\.objectID)).count == 4)
      #expect(Set(tracks.map(\.objectID.key.primaryKey)).count == 2)
      for track in tracks { #expect(try context.object(with: track.objectID) === track) }
      tracks[1].title = "B"
      context.delete(tracks[0])
      try context.save()
    }
    #expect(try archive.titles(archive.first) == "c")
    #expect(try archive.titles(archive.second) == "Bd")
    try archive.stack.main.performAndWait { context throws in
      #expect(try Track.all(sortedBy: \.title, in: context).titles == "Bcd")
      #expect(try Track.count(in: context) == 3)
    }
  }

  @Test(arguments: Mix.allCases)
  func unsavedChangesAreFetchedWithTheirStores(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    try archive.add("ac", to: archive.first)
    try archive.add("bd", to: archive.second)
    try archive.stack.newContext().performAndWait { context in
      for (title, store) in [("e", archive.first), ("f", archive.second)] {
        let track = Track.create(in: context)
        track.title = title
        try context.assign(track, to: store)
      }
      func titles(_ stores: [any PersistentStore]?, limit: Int? = nil, offset: Int = 0) throws
        -> String
      {
        var request = FetchRequest(
          "Track", sortedBy: [SortTerm("title", ascending: false)], limit: limit, offset: offset)
        request.affectedStores = stores.map { Set($0.map(\.identifier)) }
        let found = try context.fetch(Track.self, request).titles
        #expect(try context.count(request) == found.count)
        return found
      }
      for _ in 0..<2 {
        #expect(try titles(nil) == "fedcba")
        #expect(try titles(nil, limit: 3, offset: 2) == "dcb")
        #expect(try titles([archive.first]) == "eca")
        #expect(try titles([archive.second]) == "fdb")
        #expect(try titles([]) == "")
        #expect(try titles(nil, limit: 0) == "")
        try context.save()
      }
      let child = archive.stack.newChild(of: archive.stack.main)
      #expect(try child.performAndWait { try Track.count(in: $0) } == 6)
    }
  }

  @Test(arguments: Mix.allCases)
  func relationshipsOfTwoStoresStayApart(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    for store in [archive.first, archive.second] {
      try archive.stack.newContext().performAndWait { context in
        for number in 0..<3 {
          let album = Album.create(in: context)
          album.name = "\(number)"
          try context.assign(album, to: store)
          for title in 0...number {
            let track = Track.create(in: context)
            track.title = "\(store === archive.first ? "a" : "b")\(title)"
            track.album = album
            try context.assign(track, to: store)
          }
        }
        try context.save()
      }
    }
    try archive.stack.newContext().performAndWait { context in
      var request = FetchRequest("Album", sortedBy: [SortTerm("name")])
      request.relationshipKeyPathsForPrefetching = ["tracks"]
      let albums = try context.fetch(Album.self, request)
      #expect(albums.map(\.tracks.count) == [1, 1, 2, 2, 3, 3])
      for album in albums {
        #expect(
          Set(album.tracks.map(\.objectID.storeIdentifier)) == [album.objectID.storeIdentifier])
      }
      context.delete(albums[5])
      try context.save()
      #expect(try Track.count(in: context) == 9)
    }
    #expect(try archive.titles(archive.first).count == 12)
    #expect(try archive.titles(archive.second).count == 6)
  }

  @Test(arguments: Mix.allCases)
  func aSaveWithALinkAcrossStoresFailsAsAWhole(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    try archive.stack.newContext().performAndWait { context in
      let (album, track, other) = (
        Album.create(in: context), Track.create(in: context), Track.create(in: context)
      )
      try context.assign(album, to: archive.second)
      track.album = album
      track.title = "t"
      other.title = "o"
      let error = #expect(throws: StoreError.self) { try context.save() }
      guard case .linkAcrossStores(let from, "album", let to)? = error?.code else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(from == track.objectID)
      #expect(to == album.objectID)
      #expect(try archive.titles(archive.first) == "")
      #expect(try archive.titles(archive.second) == "")
      #expect(context.hasChanges)
      #expect(track.title == "t")
      #expect(track.album === album)
      track.album = nil
      try context.save()
    }
    #expect(try archive.titles(archive.first) == "ot")
    #expect(try archive.stack.main.performAndWait { try Album.count(in: $0) } == 1)
  }

  @Test(arguments: Mix.allCases)
  func aSaveThatOneStoreRefusesReachesNoStore(mix: Mix) throws {
    let folder = try TemporaryFolder()
    let (first, second) = try mix.stores(folder)
    let refusing = StoreDouble(second)
    let coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
    try coordinator.addPersistentStore(first)
    try coordinator.addPersistentStore(refusing)
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    refusing.fail(.execute, times: 1)
    try stack.newContext().performAndWait { context in
      let tracks = [Track.create(in: context), Track.create(in: context)]
      try context.assign(tracks[1], to: refusing)
      #expect(throws: StoreError.self) { try context.save() }
      let fetch = StoreFetch(try #require(coordinator.model.shape(named: "Track")))
      #expect(try first.count(fetch, in: .accepted) == 0)
      #expect(try second.count(fetch, in: .accepted) == 0)
      try context.save()
      #expect(try first.count(fetch, in: .accepted) == 1)
      #expect(try second.count(fetch, in: .accepted) == 1)
    }
  }

  @Test(arguments: Mix.allCases)
  func conflictsInTheSecondStoreAreResolved(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    try archive.add("x", to: archive.first)
    try archive.add("a", to: archive.second)
    let one = archive.stack.newContext()
    try one.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let track = try #require(try Track.first(where: \.title == "a", in: context))
      track.title = "b"
      try archive.stack.newContext().performAndWait { other in
        let same = try #require(try other.existingObject(with: track.objectID) as? Track)
        same.plays = 7
        try other.save()
      }
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.mergeConflicts.map(\.objectID) == [track.objectID])
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(track.title == "b")
      #expect(track.plays == 7)
    }
    #expect(try archive.titles(archive.second) == "b")
    #expect(try archive.titles(archive.first) == "x")
  }

  @Test func undoingASavedDeletionRestoresTheObjectInItsStore() throws {
    let archive = try Archive.Stack(.memory)
    try archive.add("a", to: archive.second)
    try archive.stack.newContext().performAndWait { context in
      context.undoManager = ContextUndoManager()
      let track = try #require(try Track.first(in: context))
      context.delete(track)
      try context.save()
      context.undoManager?.undo()
      try context.save()
    }
    #expect(try archive.titles(archive.second) == "a")
    #expect(try archive.titles(archive.first) == "")
  }
}
