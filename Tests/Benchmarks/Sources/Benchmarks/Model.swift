// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades

@Entity final class Player: ManagedObject {
  var firstName: String = ""
  var lastName: String = ""
  var email: String = ""
  var age: Int = 0
  var score: Double = 0
  var active: Bool = false
  var createdAt: Date = Date(timeIntervalSinceReferenceDate: 0)
  var team: Team?
}

@Entity final class Team: ManagedObject {
  var name: String = ""
  var city: String = ""
  @Relationship(inverse: \Player.team) var players: Set<Player>
}

@Entity final class Order: ManagedObject {
  var number: Int = 0
  @Derived("lines.@count") var lineCount: Int
  @Relationship(inverse: \Line.order) var lines: Set<Line>
}

@Entity final class Line: ManagedObject {
  var amount: Int = 0
  var order: Order?
}

@Entity final class Account: ManagedObject {
  @Attribute(.unique) var email: String = ""
  var name: String = ""
  var age: Int = 0
  var score: Double = 0
  var active: Bool = false
  var createdAt: Date = Date(timeIntervalSinceReferenceDate: 0)
  var club: Club?
}

@Entity final class Club: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Relationship(inverse: \Account.club) var accounts: Set<Account>
}

@Entity final class Ticket: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Attribute(.unique) var serial: Int = 0
  var note: String = ""
  var holder: Holder?
}

@Entity final class Holder: ManagedObject {
  var number: Int = 0
  @Derived("tickets.@count") var ticketCount: Int
  @Relationship(inverse: \Ticket.holder) var tickets: Set<Ticket>
}

@Entity final class Runner: ManagedObject {
  var name: String = ""
  var team: Int = 0
  var group: Int = 0
  var score: Double = 0
  #Index<Runner>([\.team], [\.group], [\.score])
}
