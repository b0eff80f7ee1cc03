// SPDX-License-Identifier: MIT
import FoundationEssentials
import ProbeTools
import Sporades

// Opens an existing store and prints a name of its first player.
let service = DALService(
  sqlite: URL(fileURLWithPath: CommandLine.arguments[1]), entities: [Player.self, Team.self])
report(try service.readValue { context in try Player.first(in: context)?.lastName ?? "" })
