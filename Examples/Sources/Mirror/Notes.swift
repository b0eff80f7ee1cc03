// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory

@Entity final class Note: ManagedObject {
  /// The number of saves that inserted or changed the note.
  var edition: Int = 0
  var text: String = ""
}

/// The file that both programs open.
enum Notes {
  static func service(_ path: String) -> DALService {
    DALService {
      var options = SQLiteStoreOptions()
      options.persistentHistory = .on
      return try DataStack(
        sqlite: URL(fileURLWithPath: path), entities: [Note.self], options: options)
    }
  }

  /// The number of the last save.
  static func lastTransaction(of service: DALService) throws -> Int64 {
    try service.currentPersistentHistoryToken()?.numbers.values.first ?? 0
  }

  /// All notes as they are now, by their keys.
  static func all(of service: DALService) throws -> [Int64: (edition: Int, text: String)] {
    try service.readValue { context in
      let notes = try Note.all(in: context)
      return Dictionary(
        uniqueKeysWithValues: notes.map {
          ($0.objectID.key.primaryKey, ($0.edition, $0.text))
        })
    }
  }

  /// The text of all notes as they are now.
  static func page(of service: DALService) throws -> Page {
    // No save may lie between the notes and the number of the last one.
    while true {
      let number = try lastTransaction(of: service)
      let notes = try all(of: service)
      guard try lastTransaction(of: service) == number else { continue }
      return Page(
        transaction: number,
        lines: notes.mapValues { Page.Line(changes: $0.edition, text: $0.text) })
    }
  }
}
