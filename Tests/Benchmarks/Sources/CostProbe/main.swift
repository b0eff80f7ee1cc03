// SPDX-License-Identifier: MIT
import Sporades

@Entity final class Note: ManagedObject {
  var text: String = ""
}

// Makes an object in memory and prints its text. With an argument it makes a mistake: a change after the block of a write, or
// of a main context's object in another block.
let mistake = CommandLine.arguments.dropFirst().first
let service = DALService(inMemory: [Note.self])
var kept: Note?
try service.writeSync {
  kept = Note.create(in: $0)
  kept?.text = "A note"
}.get()
if mistake == "late" { kept?.text = "Changed too late" }
if mistake == "outside" {
  try service.read { kept = Note.first(in: $0) }.writeSync { _ in kept?.text = "Changed outside" }
    .get()
}
try service.read { print(Note.all(in: $0).map(\.text)) }.get()
