// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import TestServer
import Testing

@testable import SporadesExistingTables
@testable import SporadesPostgreSQL

/// Rows of tables that plain SQL has made, read, changed and deleted as objects.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ExistingTablesTests {
  private let tables: ExistingTables

  init() throws { tables = try .music() }

  @Test func rowsAreObjects() throws {
    let service = tables.service()
    let titles = try service.readValue { context in
      try Album.all(sortedBy: \.title, in: context).map { album in
        "\(album.title) \(album.price ?? 0) \(album.artist?.name ?? "") \(album.mood ?? "") "
          + album.tags.map(\.name).sorted().joined(separator: ",")
      }
    }
    #expect(
      titles == [
        "Blue 9.99 Miles sad jazz", "Sketches 0.0 Miles  ", "Songbook 12.5 Ella glad jazz,vocal",
      ])
    try service.close()
  }

  @Test func theServerDecidesPredicates() throws {
    let service = tables.service()
    try service.readValue { context in
      #expect(
        try Album.all(where: \.artist?.name == "Miles" && \.price > 5, in: context).map(\.title)
          == ["Blue"])
      #expect(try Album.count(where: \.mood == "glad", in: context) == 1)
      let tagged = FetchRequest(
        "Album", where: try FetchPredicate(format: "ANY tags.name == 'vocal'"))
      #expect(try context.count(tagged) == 1)
      let many = FetchRequest("Artist", where: try FetchPredicate(format: "albums.@count > 1"))
      #expect(try context.count(many) == 1)
      let day = try #require(try Album.first(where: \.title == "Blue", in: context)?.released)
      #expect(day == Date(timeIntervalSince1970: -327_456_000))
      #expect(try Album.count(where: \.released == day, in: context) == 1)
    }
    try service.close()
  }

  @Test func newChangedAndDeletedObjectsAreRows() throws {
    let service = tables.service()
    try service.writeSync(durability: .immediate) { context in
      let artist = Artist.create(in: context)
      artist.name = "Nina"
      let album = Album.create(in: context)
      (album.title, album.price, album.mood, album.artist) = ("Pastel", 7.25, "sad", artist)
      album.tags = [try #require(Tag.first(where: \.name == "vocal", in: context))]
      let blue = try #require(Album.first(where: \.title == "Blue", in: context))
      blue.price = 8
      blue.tags = []
      try #require(Album.first(where: \.title == "Sketches", in: context)).delete(in: context)
    }.get()
    #expect(
      try tables.ask(
        "SELECT title, unit_price, state, full_name FROM album JOIN artist ON artist_id = by_artist ORDER BY title"
      ) == ["(Blue,8.00,sad,Miles)", "(Pastel,7.25,sad,Nina)", "(Songbook,12.50,glad,Ella)"])
    #expect(
      try tables.ask(
        "SELECT title, tag FROM album_tag JOIN album ON album_no = album ORDER BY 1, 2")
        == ["(Pastel,2)", "(Songbook,1)", "(Songbook,2)"])
    // Other programs' new rows have other keys.
    try tables.run("INSERT INTO artist (full_name) VALUES ('Chet')")
    #expect(try tables.ask("SELECT count(DISTINCT artist_id) FROM artist") == ["(4)"])
    try service.close()
  }

  @Test func oneObjectIsSavedAgainAndAgain() throws {
    let service = tables.service()
    for round in 1...5 {
      try service.writeSync { context in
        let album = try #require(Album.first(where: \.title == "Blue", in: context))
        album.price = Double(round)
        try #require(Tag.first(where: \.name == "jazz", in: context)).name = "jazz"
      }.get()
    }
    try service.writeSync { context in
      let album = Album.create(in: context)
      album.title = "New"
    }.get()
    for (old, title) in [("New", "Newer"), ("Newer", "Newest")] {
      try service.writeSync(durability: .immediate) { context in
        try #require(Album.first(where: \.title == old, in: context)).title = title
      }.get()
    }
    try service.writeSync { context in
      try #require(Album.first(where: \.title == "Newest", in: context)).delete(in: context)
    }.get()
    try service.close()
    #expect(try tables.ask("SELECT unit_price FROM album WHERE title = 'Blue'") == ["(5.00)"])
    #expect(try tables.ask("SELECT count(*) FROM album") == ["(3)"])
  }

  @Test(arguments: ["Album", "Tag"])
  func aWriterBetweenReadAndSaveIsFound(_ entity: String) throws {
    let service = tables.service()
    let context = try service.stack().newContext()
    let (attribute, sql) =
      entity == "Album"
      ? ("title", "UPDATE album SET unit_price = 1")
      : ("name", "UPDATE tag SET name = name || '!', lock_version = lock_version + 1")
    try context.performAndWait { context in
      let object = try #require(try context.fetch(FetchRequest(entity)).first)
      try tables.run(sql)
      object.setValue("Mine", forKey: attribute)
      do {
        try context.save()
        Issue.record("The save went over another one.")
      } catch {
        #expect("\(error)".contains("saved by others"), "\(error)")
      }
    }
    try service.close()
  }

  @Test func aDeletionByOthersIsFound() throws {
    let service = tables.service()
    let context = try service.stack().newContext()
    try context.performAndWait { context in
      let album = try #require(try Album.first(where: \.title == "Sketches", in: context))
      try tables.run("DELETE FROM album WHERE title = 'Sketches'")
      album.price = 1
      do {
        try context.save()
        Issue.record("The save went over a deletion.")
      } catch {
        #expect("\(error)".contains("Others deleted"), "\(error)")
      }
    }
    try service.close()
  }

  @Test func aDeleteRuleReachesForeignKeysThatHoldAtEachMoment() throws {
    let service = tables.service()
    try service.writeSync(durability: .immediate) { context in
      try #require(Artist.first(where: \.name == "Miles", in: context)).delete(in: context)
    }.get()
    #expect(try tables.ask("SELECT title FROM album") == ["(Songbook)"])
    #expect(try tables.ask("SELECT count(*) FROM album_tag") == ["(2)"])
    try service.close()
  }

  @Test func nothingIsMadeBesideTheTables() throws {
    let service = tables.service()
    try service.writeSync(durability: .immediate) { Artist.create(in: $0).name = "Nina" }.get()
    try service.close()
    #expect(
      try tables.ask(
        "SELECT tablename FROM pg_tables WHERE schemaname = '\(tables.place.options.schema)' ORDER BY 1"
      )
        == ["(album)", "(album_tag)", "(artist)", "(tag)"])
  }

  // MARK: - Values that do not fit

  @Test func aValueThatTheColumnWouldCutIsRefusedBeforeItIsSent() throws {
    let service = tables.service()
    typealias Change = @Sendable (Album, Artist) -> Void
    let name: Change = { _, artist in artist.name = String(repeating: "x", count: 21) }
    let fraction: Change = { album, _ in album.price = 1.005 }
    let large: Change = { album, _ in album.price = 12_345 }
    let mood: Change = { album, _ in album.mood = "angry" }
    let day: Change = { album, _ in album.released = Date(timeIntervalSince1970: 1) }
    let changes: [(String, Change)] = [
      ("Artist.name", name), ("Album.price", fraction), ("Album.price", large),
      ("Album.mood", mood), ("Album.released", day),
    ]
    for (property, change) in changes {
      let refused = service.writeSync(durability: .immediate) { context in
        let (album, artist) = (Album.create(in: context), Artist.create(in: context))
        album.title = property
        change(album, artist)
      }
      do {
        try refused.get()
        Issue.record("\(property) was taken.")
      } catch {
        #expect("\(error)".contains("\(property) has "), "\(error)")
      }
    }
    #expect(try tables.ask("SELECT count(*) FROM album") == ["(3)"])
    // What was accepted before stays.
    try service.writeSync { Artist.create(in: $0).name = "Nina" }.get()
    _ = service.writeSync { Artist.create(in: $0).name = String(repeating: "x", count: 21) }
    try service.writeSync(durability: .immediate) { Artist.create(in: $0).name = "Chet" }.get()
    #expect(try tables.ask("SELECT count(*) FROM artist") == ["(4)"])
    try service.close()
  }

  @Test func aTakenUniqueValueNamesTheProperty() throws {
    let service = tables.service()
    let refused = service.writeSync(durability: .immediate) { Album.create(in: $0).title = "Blue" }
    do {
      try refused.get()
      Issue.record("Both titles were taken.")
    } catch {
      #expect("\(error)".contains("Another Album has the same title"), "\(error)")
    }
    try service.close()
  }
}
