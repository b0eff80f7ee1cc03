// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// What the scenarios write. `FaultTests` declares it a second time: the file must fit it.
@Entity final class Note: ManagedObject {
  var number: Int = 0
  @Attribute(.externalStorage) var photo: Data?
}

/// Takes failures from the results of its calls, and so prints none.
final class NoteService: DALService, @unchecked Sendable {
  // @unchecked: nothing is stored beyond what the superclass has.
  override func handleError(_ error: DALError) {}

  convenience init(_ store: URL, _ options: SQLiteStoreOptions = SQLiteStoreOptions()) {
    self.init { try DataStack(sqlite: store, entities: [Note.self], options: options) }
  }

  /// Adds the note with the number, and returns when it is on the disk.
  func add(_ number: Int, _ photo: Data? = nil) throws {
    let chain = writeSync(durability: .immediate) { context in
      // A write that failed may have been accepted, and is committed later.
      if Note.first(where: \.number == number, in: context) != nil { return }
      let note = Note.create(in: context)
      note.number = number
      note.photo = photo
    }
    try chain.get()
  }
}
