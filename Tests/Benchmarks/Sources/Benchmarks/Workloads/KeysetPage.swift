// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// All players by last name, in pages of a hundred. Each page begins behind the last player of the page before.
struct KeysetPage: Workload {
  static let key = "keyset_page"
  static let title = "pages of 100 players, sorted by an indexed text"
  static let start = Template.players
  private static let size = 100
  private static let index =
    "CREATE INDEX Z_Player_lastName ON ZPLAYER (ZLASTNAME COLLATE BINARY ASC)"
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let database = RawDatabase(path)
    database.execute(Self.index)
    var sum = Checksum()
    watch.time {
      let statement = database.prepare(
        RawPlayer.select + """
           WHERE ZLASTNAME >= ?1 AND (ZLASTNAME > ?1 OR Z_PK > ?2) \
          ORDER BY ZLASTNAME, Z_PK LIMIT 101
          """)
      var (name, id) = ("", Int64(0))
      while true {
        statement.bind(2, id)
        let players = name.withUTF8 { bytes in
          unsafe statement.bind(1, bytes)
          return RawPlayer.all(statement)
        }
        for player in players.prefix(Self.size) { sum.add(Int(player.id)) }
        guard players.count > Self.size else { break }
        (name, id) = (players[Self.size - 1].lastName, players[Self.size - 1].id)
      }
    }
    return sum.value
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    RawDatabase(path).execute(Self.index)
    let service = try openService(path)
    defer { try? service.close() }
    var sum = Checksum()
    try watch.time {
      try service.readValue { context in
        let players = Player.sorted(by: \.lastName).limit(Self.size)
        var cursor: PageCursor?
        repeat {
          let page = try players.after(cursor).page(in: context)
          for player in page.objects { sum.add(Int(player.objectID.key.primaryKey)) }
          cursor = page.next
        } while cursor != nil
      }
    }
    return sum.value
  }
}
