// SPDX-License-Identifier: MIT
import ProbeTools
import RawStore

// Opens an existing store and prints a name of its first player: what `StartupProbe` does.
let database = RawDatabase(CommandLine.arguments[1])
let statement = database.prepare(RawPlayer.select + " LIMIT 1")
precondition(statement.step(), "The store has no players.")
report(RawPlayer(statement).lastName)
