// SPDX-License-Identifier: MIT
import Sporades
import SporadesPostgreSQL
import SporadesSearch
import SporadesServerSearch

@Entity final class Note: ManagedObject {
  @Attribute(.searchable) var text: String = ""
}

var options = PostgreSQLStoreOptions()
options.search = .index
let service = DALService(postgres: "dbname=notes", entities: [Note.self], storeOptions: options)
try service.read { context in
  for hit in Note.search("note*").ranked(in: context) {
    print(try hit.snippet(of: \.text).text)
  }
}.get()
