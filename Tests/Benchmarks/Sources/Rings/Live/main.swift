// SPDX-License-Identifier: MIT
import Sporades
import SporadesLive

@Entity final class Note: ManagedObject {
  var text: String = ""
}

let service = DALService(inMemory: [Note.self])
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
try service.read {
  let controller = FetchedResultsController(Note.sorted(by: \.text), in: $0.managedObjectContext)
  try controller.performFetch()
  print(controller.fetchedObjects?.map(\.text) ?? [])
}.get()
