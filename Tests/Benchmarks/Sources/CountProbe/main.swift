// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades

// Does one kind of work with so many players, for a program that counts its instructions:
// `CountProbe FILE KEY COUNT`. The key `none` makes the file and its players and does no more.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
  fatalError("Usage: CountProbe FILE KEY COUNT")
}
let service = DALService(
  sqlite: URL(fileURLWithPath: arguments[1]), entities: [Player.self, Team.self])

func create(_ number: Int, in context: ReportingContext) {
  let player = Player.create(in: context)
  player.firstName = "Ada"
  player.lastName = "Lindqvist"
  player.email = "ada.lindqvist.\(number)@example.com"
  player.age = number % 60
  player.score = Double(number)
  player.active = number.isMultiple(of: 2)
  player.createdAt = Date(timeIntervalSinceReferenceDate: Double(number))
}

switch arguments[2] {
case "none": try service.readValue { context in _ = try Player.count(in: context) }
case "bulk_insert":
  try service.writeSync { context in for number in 0..<count { create(number, in: context) } }.get()
case "single_write":
  // Each with its own commit: how many writes share one would depend on the speed of the machine.
  for number in 0..<count {
    try service.writeSync(durability: .immediate) { context in create(number, in: context) }.get()
  }
case "fetch":
  let length = try service.readValue { context in
    try Player.all(in: context).reduce(0) { $0 + $1.lastName.utf8.count }
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
try service.close()
