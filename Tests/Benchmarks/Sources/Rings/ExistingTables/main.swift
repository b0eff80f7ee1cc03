// SPDX-License-Identifier: MIT
import Sporades
import SporadesExistingTables

@Entity(userInfo: .table("notes")) final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(existingTablesAt: "dbname=notes", entities: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read {
  print(Note.all(in: $0).map(\.text))
}.get()
