// SPDX-License-Identifier: MIT
import Sporades
import SporadesMoving

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
let source = try service.stack().store
let target = try SQLiteStore(inMemory: source.model)
try StoreMove(from: source, to: target).run()
try DataStack(store: target, classes: [Note.self]).newContext().performAndWait { context in
  print(try Note.all(in: context).map(\.text))
}
