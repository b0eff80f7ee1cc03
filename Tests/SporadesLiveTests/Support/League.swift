// SPDX-License-Identifier: MIT
import Sporades

/// Teams and players, who are in order by themselves or by their teams.
enum League {
  @Entity final class Club: ManagedObject {
    var country: String = ""
    @Relationship(inverse: \Team.club) var teams: Set<Team>
  }

  @Entity final class Team: ManagedObject {
    var name: String = ""
    var rank: Int = 0
    var club: Club?
    @Relationship(inverse: \Player.team) var players: Set<Player>
    @Derived("players.@count") var size: Int
  }

  @Entity class Player: ManagedObject {
    var name: String = ""
    var score: Int = 0
    var group: String?
    var team: Team?
    @Relationship(inverse: "fans") var idols: Set<Player>
    @Relationship(inverse: "idols") var fans: Set<Player>

    var initial: String { String(name.prefix(1)) }
  }

  @Entity final class Goalkeeper: Player {
    var saves: Int = 0
  }

  static let entities: [ManagedObject.Type] = [
    Club.self, Team.self, Player.self, Goalkeeper.self,
  ]

  static func makeStack() throws -> DataStack { try DataStack(inMemory: entities) }
}

typealias Player = League.Player
typealias Team = League.Team

extension League.Player {
  @discardableResult
  static func make(
    _ name: String, _ score: Int = 0, group: String? = nil, in context: ManagedObjectContext
  ) -> Player {
    let player = Player.create(in: context)
    (player.name, player.score, player.group) = (name, score, group)
    return player
  }
}
