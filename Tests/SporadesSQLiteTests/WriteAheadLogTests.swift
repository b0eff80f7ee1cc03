// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct WriteAheadLogTests {
  /// The background never finds a moment in which the log does not grow, and still the log does not
  /// grow for ever.
  @Test(arguments: [Durability.immediate, .eventual])
  func theLogIsBegunAnewWhileOneWritesWithoutRest(_ durability: Durability) throws {
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 20
    let store = try SQLiteStore(path: path, model: Sample.model, options: options)
    let deadline = ContinuousClock.now + .seconds(60)
    var written = 0
    var beginnings: Set<[UInt8]> = []
    while beginnings.count < 5 {
      try #require(ContinuousClock.now < deadline, "The log was begun \(beginnings.count) times.")
      let keys = try store.reserveKeys(1, for: Sample.shape("Tag"))
      try store.execute(ChangeSet(inserted: [Sample.page("Tag", keys.map { ($0, [:]) })]))
      try store.commit(durability)
      written += 1
      beginnings.insert(try beginning(ofLogOf: path))
    }
    #expect(try store.count(StoreFetch(Sample.shape("Tag")), in: .committed) == written)
    try store.close()
    let again = try SQLiteStore(path: path, model: Sample.model)
    #expect(try again.count(StoreFetch(Sample.shape("Tag")), in: .committed) == written)
    #expect(try again.integrityProblems() == [])
  }

  /// The number in the log's header that SQLite raises each time it begins the log anew.
  private func beginning(ofLogOf path: String) throws -> [UInt8] {
    let log = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "-wal"))
    defer { try? log.close() }
    return Array(try #require(try log.read(upToCount: 16))[12...])
  }
}
