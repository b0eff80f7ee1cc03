// SPDX-License-Identifier: MIT
import Sporades
import SporadesExplaining

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read {
  print(Note.all(in: $0).map(\.text))
  print(try Note.where(\.text == "A note").explain(in: $0))
}.get()
