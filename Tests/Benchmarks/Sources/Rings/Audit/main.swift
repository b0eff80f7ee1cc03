// SPDX-License-Identifier: MIT
import Sporades
import SporadesAudit

@Entity final class Note: ManagedObject {
  @Attribute(.keepsValuesInHistory) var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read {
  for note in Note.all(in: $0) { print(try $0.valueHistory(of: note, \.text).map(\.after)) }
}.get()
