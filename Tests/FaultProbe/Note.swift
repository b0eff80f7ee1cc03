// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// The entity of the scenarios. `FaultTests` has a copy of it, which the file must fit.
@Entity final class Note: ManagedObject {
  var number: Int = 0
  @Attribute(.externalStorage) var photo: Data?
}

/// A service whose caller takes failures from the results of its calls. So it prints none.
final class NoteService: DALService, @unchecked Sendable {
  // @unchecked: the class adds no stored property to its superclass.
  override func handleError(_ error: DALError) {}

  convenience init(_ store: URL, _ options: SQLiteStoreOptions = SQLiteStoreOptions()) {
    self.init { try DataStack(sqlite: store, entities: [Note.self], options: options) }
  }

  /// Adds the note with the number, and returns when the note is on the disk.
  func add(_ number: Int, _ photo: Data? = nil) throws {
    let chain = writeSync(durability: .immediate) { context in
      // The service may have accepted a failed write, and commits it later.
      if Note.first(where: \.number == number, in: context) != nil { return }
      let note = Note.create(in: context)
      note.number = number
      note.photo = photo
    }
    try chain.get()
  }
}
