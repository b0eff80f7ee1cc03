// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesFoundation

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
let order = try TypedSortTerm<Note>(SortDescriptor(\.text))
try service.read { print(Note.sorted(by: order).fetch(in: $0).map(\.text)) }.get()
