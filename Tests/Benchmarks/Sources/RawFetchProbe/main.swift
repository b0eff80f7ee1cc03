// SPDX-License-Identifier: MIT
import ProbeTools
import RawStore

// Fetches all players as structs and prints the most memory the process ever had, in kilobytes.
let database = RawDatabase(CommandLine.arguments[1])
let players = RawPlayer.all(database.prepare(RawPlayer.select))
precondition(players.reduce(0) { $0 + $1.lastName.utf8.count } > 0, "The players have no names.")
report(peakMemory() ?? 0)
withExtendedLifetime(players) {}
