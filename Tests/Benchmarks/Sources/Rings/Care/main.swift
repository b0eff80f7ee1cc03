// SPDX-License-Identifier: MIT
import Sporades
import SporadesCare

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read { print(Note.all(in: $0).map(\.text)) }.get()
print(try service.stack().store.integrityProblems())
