// SPDX-License-Identifier: MIT
import Sporades

@Entity final class Note: ManagedObject {
  var text: String = ""
}

// Makes an object in memory and prints its text. With an argument it makes a mistake first.
let service = DALService(inMemory: [Note.self])
var kept: Note?
try service.writeSync {
  kept = Note.create(in: $0)
  kept?.text = "A note"
}.get()
if CommandLine.arguments.count > 1 { kept?.text = "Changed too late" }
try service.read { print(Note.all(in: $0).map(\.text)) }.get()
