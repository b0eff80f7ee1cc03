// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// Batches over several stores.
@Suite struct CoordinatedBatchTests {
  typealias Album = Archive.Album
  typealias Track = Archive.Track
  typealias Remark = Archive.Remark
  typealias Mix = Archive.Mix

  @Test(arguments: Mix.allCases)
  func aBatchChangesTheRowsOfAllStores(mix: Mix) throws {
    let archive = try Archive.Stack(mix)
    try archive.add("abc", to: archive.first)
    try archive.add("de", to: archive.second)
    try archive.stack.newContext().performAndWait { (context) throws in
      let tracks = try Track.all(sortedBy: \.title, in: context)
      let result = try context.execute(
        Track.where(\.title != "b").update(\.plays, to: \.plays + 2))
      #expect(result.count == 4)
      #expect(tracks.map(\.plays) == [2, 0, 2, 2, 2])
      let inserted = try context.execute(
        BatchInsertRequest(Track.self, from: "fg") { $0.title = "\($1)" })
      #expect(inserted.count == 2)
      #expect(try context.execute(Track.where(\.plays == 2).delete()).count == 4)
      #expect(try Track.all(sortedBy: \.title, in: context).map(\.title) == ["b", "f", "g"])
    }
    #expect(try archive.titles(archive.second) == "")
    #expect(try archive.coordinator.integrityProblems() == [])
  }

  @Test(arguments: Mix.allCases)
  func aBatchMeetsStoresOfSomeEntities(mix: Mix) throws {
    let archive = try Archive.Stack(mix, "Catalogue", "Remarks")
    try archive.stack.newContext().performAndWait { (context) throws in
      try context.execute(BatchInsertRequest(Album.self, objects: [["name": "A"], ["name": "B"]]))
      try context.execute(BatchInsertRequest(Remark.self, objects: [["text": "good"]]))
      #expect(try context.execute(Remark.request.update(\.text, to: "better")).count == 1)
      #expect(try context.execute(Album.where(\.name == "A").delete()).count == 1)
      #expect(try Remark.all(in: context).map(\.text) == ["better"])
      #expect(try Album.all(in: context).map(\.name) == ["B"])
    }
  }

  @Test(arguments: ["Catalogue", nil])
  func aSingleStoreOfSomeEntitiesKeepsItsRows(configuration: String?) throws {
    let folder = try TemporaryFolder()
    let stores = try Mix.files.stores(folder, configuration)
    let stack = DataStack(store: stores.first, classes: Archive.classes)
    try stack.newContext().performAndWait { (context) throws in
      context.durability = .immediate
      let batch = BatchInsertRequest(Track.self, from: 1...3) { track, number in
        track.title = "\(number)"
        track.sound = Data(repeating: UInt8(number), count: 300_000)
      }
      try context.execute(batch)
      #expect(try files(in: folder) == 3)
      #expect(try context.execute(Track.where(\.title > "1").delete()).count == 2)
      #expect(try Track.all(in: context).map { $0.sound?.count } == [300_000])
    }
    #expect(try files(in: folder) == 1)
    #expect(try stores.first.integrityProblems() == [])
  }

  /// The number of files with large values.
  private func files(in folder: TemporaryFolder) throws -> Int {
    let all = try #require(
      FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil))
    return all.compactMap { $0 as? URL }.filter { $0.path.contains("_EXTERNAL_DATA/") }.count
  }
}
