// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore

/// A namespace, because the other tests have entities of these names too.
enum Club {
  enum Rank: Int, CaseIterable { case novice, master }

  @Entity final class Team: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \Player.team) var players: Set<Player>
  }

  @Entity class Player: ManagedObject {
    #Index<Player>([\.name])
    var name: String = ""
    var nickname: String?
    var age: Int = 0
    var score: Double?
    var born: Date?
    var isActive: Bool = false
    var rank: Rank = Rank.novice
    var team: Team?
    @Relationship(inverse: \Medal.player) var medals: Set<Medal>
    var initial: String { String(name.prefix(1)) }
  }

  @Entity final class Captain: Player {
    var since: Date?
  }

  @Entity final class Medal: ManagedObject {
    var year: Int = 0
    var player: Player?
  }

  static let entities: [ManagedObject.Type] = [
    Team.self, Player.self, Captain.self, Medal.self,
  ]

  /// Names, ages, and teams of six players; Ann and Eve have no team, and Cid and Dan the same age.
  static let players: [(name: String, age: Int, team: String?)] = [
    ("Ann", 30, nil), ("Bob", 20, "Reds"), ("Cid", 25, "Reds"), ("Dan", 25, "Blues"),
    ("Eve", 41, nil), ("Fay", 19, "Blues"),
  ]

  static func fill(_ context: ManagedObjectContext) {
    var teams: [String: Team] = [:]
    for (name, age, team) in players {
      let player = Player.create(in: context)
      (player.name, player.age, player.isActive) = (name, age, age < 30)
      player.score = age == 41 ? nil : Double(age) / 2
      player.rank = age > 28 ? .master : .novice
      player.nickname = name < "C" ? name.lowercased() : nil
      guard let team else { continue }
      if teams[team] == nil {
        teams[team] = Team.create(in: context)
        teams[team]?.name = team
      }
      player.team = teams[team]
      if age > 22 { Medal.create(in: context).player = player }
    }
  }

  /// Runs a test three times: in memory, in SQLite, and over changes that are not saved.
  static func eachPlace(_ body: (ManagedObjectContext) throws -> Void) throws {
    for place in ["memory", "file", "changes"] {
      let folder = try TemporaryFolder()
      let stack =
        try place == "file"
        ? DataStack(sqlite: folder.file("Club.sqlite"), entities: entities)
        : DataStack(inMemory: entities)
      try stack.newContext().performAndWait { context in
        fill(context)
        if place != "changes" { try context.save() }
        try body(context)
      }
    }
  }
}
