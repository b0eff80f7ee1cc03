// SPDX-License-Identifier: MIT
import Foundation
import Sporades

@Entity final class Player: ManagedObject {
  var name = ""
  var score = 0
  var joined: Date?
  var team: Team?
}

@Entity final class Team: ManagedObject {
  var name = ""
  @Relationship(inverse: \Player.team) var players: Set<Player>
}
