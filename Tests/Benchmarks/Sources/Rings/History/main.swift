// SPDX-License-Identifier: MIT
import Sporades
import SporadesHistory

@Entity final class Note: ManagedObject {
  var text: String = ""
}

var options = SQLiteStoreOptions()
options.persistentHistory = .on
let service = DALService(sqlite: "Notes", entities: [Note.self], storeOptions: options)
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read {
  print(Note.all(in: $0).map(\.text))
  print(try $0.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).transactions.count)
}.get()
