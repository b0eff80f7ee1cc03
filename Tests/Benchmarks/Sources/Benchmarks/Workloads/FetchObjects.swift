// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// All players fetched, the last name of each read, all let go.
struct FetchObjects: Workload {
  static let key = "fetch_objects"
  static let title = "fetch all players, read one text of each"
  static let start = Template.players

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    let database = RawDatabase(path)
    return watch.time {
      let players = RawPlayer.all(database.prepare(RawPlayer.select))
      var sum = Checksum()
      // Sorted by nothing, rows come by key.
      for player in players { sum.add(player.lastName.utf8.count) }
      return sum.value
    }
  }
}

extension FetchObjects {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let service = try openService(path)
    defer { try? service.close() }
    return try watch.time {
      try service.readValue { context in
        var sum = Checksum()
        for player in try Player.all(in: context) { sum.add(player.lastName.utf8.count) }
        return sum.value
      }
    }
  }
}
