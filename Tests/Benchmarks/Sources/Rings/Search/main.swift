// SPDX-License-Identifier: MIT
import Sporades
import SporadesSearch

@Entity final class Note: ManagedObject {
  @Attribute(.searchable) var text: String = ""
}

let service = DALService(sqlite: "Notes", entities: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read { context in
  for hit in Note.search("note*").ranked(in: context) {
    print(try hit.snippet(of: \.text).text)
  }
}.get()
