// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
print(try await service.import(Note.self, from: .json(text: #"[{"text": "A note"}]"#)))
try service.read { print(Note.all(in: $0).map(\.text)) }.get()
