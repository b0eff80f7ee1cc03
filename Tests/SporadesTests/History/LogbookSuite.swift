// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// A suite whose programs share one file of notes.
protocol LogbookSuite {
  var folder: TemporaryFolder { get }
}

extension LogbookSuite {
  func open() throws -> DALService {
    DALService(
      stack: DataStack(
        store: try Logbook.file(folder.file("log.sqlite")), classes: Logbook.classes))
  }

  /// Saves the objects that a block inserts and changes, as an author.
  func save(
    _ service: DALService, by author: String? = nil,
    _ body: @Sendable (ManagedObjectContext) throws -> Void
  ) throws { try service.stack().save(by: author, body) }

  func until(_ condition: () throws -> Bool) async throws {
    while try !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
