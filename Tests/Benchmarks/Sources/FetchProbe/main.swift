// SPDX-License-Identifier: MIT
import FoundationEssentials
import ProbeTools
import Sporades

// Fetches all players and prints, while it holds them, the most memory the process ever had.
let service = DALService(
  sqlite: URL(fileURLWithPath: CommandLine.arguments[1]), entities: [Player.self, Team.self])
report(
  try service.readValue { context in
    let players = try Player.all(in: context)
    precondition(
      players.reduce(0) { $0 + $1.lastName.utf8.count } > 0, "The players have no names.")
    return withExtendedLifetime(players) { peakMemory() ?? 0 }
  })
