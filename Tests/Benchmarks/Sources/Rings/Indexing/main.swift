// SPDX-License-Identifier: MIT
import Sporades
import SporadesIndexing

@Entity final class Note: ManagedObject {
  var text: String = ""
}

/// An index of the notes' texts in memory.
actor Texts: OutsideIndex {
  private var texts: [String: String] = [:]
  private var last: IndexPlace?

  func place() async throws -> IndexPlace? { last }

  func apply(_ batch: IndexBatch) async throws {
    for identifier in batch.removals { texts[identifier] = nil }
    for item in batch.items { texts[item.identifier] = item.attributes.text }
    last = batch.place
  }

  func removeAll() async throws { (texts, last) = ([:], nil) }
}

final class NoteIndexing: IndexingDelegate, @unchecked Sendable {
  // @unchecked as the superclass is. The class has no properties of its own.
  override func attributes(for object: ManagedObject) throws -> IndexAttributes? {
    (object as? Note).map { IndexAttributes(text: $0.text) }
  }
}

var options = SQLiteStoreOptions()
options.persistentHistory = .on
let service = DALService(sqlite: "Notes", entities: [Note.self], storeOptions: options)
try service.writeSync { Note.create(in: $0).text = "A note" }.get()
let indexing = NoteIndexing(
  service: service, name: "texts", index: Texts(), entities: [IndexedEntity(Note.self)])
try indexing.start()
