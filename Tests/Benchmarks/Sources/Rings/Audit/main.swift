// SPDX-License-Identifier: MIT
import Sporades
import SporadesAudit

@Entity final class Note: ManagedObject {
  @Attribute(.keepsValuesInHistory) var text: String = ""
}

var options = SQLiteStoreOptions()
options.persistentHistory = .on
let service = DALService(sqlite: "Notes", entities: [Note.self], storeOptions: options)
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read { context in
  for note in Note.all(in: context) {
    print(try context.valueHistory(of: note, \.text).map(\.after))
  }
}.get()
