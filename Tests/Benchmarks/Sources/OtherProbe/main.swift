// SPDX-License-Identifier: MIT
import FoundationEssentials
import ProbeTools
import Sporades

// Changes the first player for each line of input, and prints the moment at which the commit was done.
let service = DALService(
  sqlite: URL(fileURLWithPath: CommandLine.arguments[1]), entities: [Player.self, Team.self])
report(try service.readValue { context in try Player.first(in: context)?.age ?? 0 })
while let line = readLine(), let age = Int(line) {
  try service.writeSync(durability: .immediate) { context in
    Player.first(in: context)?.age = age
  }.get()
  report(nanoseconds())
}
