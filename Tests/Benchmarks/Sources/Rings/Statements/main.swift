// SPDX-License-Identifier: MIT
import Sporades
import SporadesStatements

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read {
  print($0.rows("SELECT \(\Note.text) FROM \(Note.self)", as: String.self))
}.get()
