// SPDX-License-Identifier: MIT
import Sporades
import SporadesContainers

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let container = try PersistentContainer(name: "Notes", entities: [Note.self])
try await container.loadPersistentStores()
try await container.performBackgroundTask { context in
  Note.create(in: context).text = "A note"
  try context.save()
}
print(try await container.viewContext.perform { try Note.all(in: $0).map(\.text) })
