// SPDX-License-Identifier: MIT
import Sporades
import SporadesPostgreSQL
import SporadesServerStages

enum NotesV1: VersionedSchema {
  @Entity final class Note: ManagedObject {
    var text: String = ""
  }
  static var entities: [ManagedObject.Type] { [Note.self] }
}

@Entity final class Note: ManagedObject {
  var text: String = ""
  var length: Int = 0
}

enum NotesV2: VersionedSchema {
  static var entities: [ManagedObject.Type] { [Note.self] }
}

var options = PostgreSQLStoreOptions()
options.migrationPlan = MigrationPlan([
  .custom(fromVersion: NotesV1.self, toVersion: NotesV2.self) { context in
    for note in try Note.all(in: context) { note.length = note.text.count }
  }
])
let service = DALService(postgres: "dbname=notes", entities: [Note.self], storeOptions: options)
try service.read {
  print(Note.all(in: $0).map(\.length))
}.get()
