// SPDX-License-Identifier: MIT
import Sporades
import SporadesContainers

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let container = try PersistentContainer(name: "Notes", entities: [Note.self])
container.loadPersistentStores { _, error in
  if let error { print(error) }
}
try container.viewContext.performAndWait { context in
  Note.create(in: context).text = "A note"
  try context.save()
  print(try Note.all(in: context).map(\.text))
}
