// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades

// Does one kind of work with so many players, and prints the milliseconds that it took:
// `CountProbe FILE KEY COUNT`. The key `none` makes the file and its players and does no more.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
  fatalError("Usage: CountProbe FILE KEY COUNT")
}
let service = DALService(
  sqlite: URL(fileURLWithPath: arguments[1]), entities: [Player.self, Team.self])

@discardableResult
func create(_ number: Int, in context: ReportingContext) -> Player {
  let player = Player.create(in: context)
  player.firstName = "Ada"
  player.lastName = "Lindqvist"
  player.email = "ada.lindqvist.\(number)@example.com"
  player.age = number % 60
  player.score = Double(number)
  player.active = number.isMultiple(of: 2)
  player.createdAt = Date(timeIntervalSinceReferenceDate: Double(number))
  return player
}

_ = try service.stack()
let start = ContinuousClock.now
switch arguments[2] {
case "none": try service.readValue { context in _ = try Player.count(in: context) }
case "bulk_insert":
  try service.writeSync { context in for number in 0..<count { create(number, in: context) } }.get()
case "single_write":
  // Each with its own commit: how many writes share one would depend on the speed of the machine.
  try service.writeSync { context in for _ in 0..<200 { Team.create(in: context) } }.get()
  let teams = try service.readValue { context in try Team.all(in: context).map(\.objectID) }
  for number in 0..<count {
    try service.writeSync(durability: .immediate) { context in
      let player = create(number, in: context)
      player.team = try context.object(with: teams[number * 7 % teams.count]) as? Team
    }.get()
  }
case "fetch":
  let length = try service.readValue { context in
    try Player.all(in: context).reduce(0) { $0 + $1.lastName.utf8.count }
  }
  precondition(length == 9 * count, "The file has other players than were asked for.")
case "look_up":
  let length = try service.readValue { context in
    let ids = try Player.all(in: context).map(\.objectID)
    return try ids.reduce(0) { length, id in
      let player = try context.existingObject(with: id) as? Player
      return length + (player?.lastName.utf8.count ?? 0)
    }
  }
  precondition(length == 9 * count, "The file has other players than were asked for.")
case "update":
  try service.writeSync { context in for player in Player.all(in: context) { player.age += 1 } }
    .get()
case "delete":
  try service.writeSync { context in
    for player in Player.all(in: context) { player.delete(in: context) }
  }
  .get()
case let key: fatalError("There is no work \(key).")
}
print((ContinuousClock.now - start) / .milliseconds(1))
try service.close()
