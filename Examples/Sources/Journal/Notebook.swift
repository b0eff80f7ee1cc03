// SPDX-License-Identifier: MIT
import Foundation
import Sporades

@Entity final class Entry: ManagedObject {
  /// The place of the entry in the journal; counting goes on when the file is opened again.
  var number: Int = 0
  var text: String = ""
}

/// The journal's file.
final class Notebook {
  private let service: JournalService
  private var lastNumber = 0

  init(_ order: Order) {
    service = JournalService(order)
  }

  /// Opens the file, or throws why it cannot be opened.
  func open() throws {
    lastNumber = try service.readValue { try Entry.max(\.number, in: $0) } ?? 0
  }

  /// Returns when the line is accepted, or with `.immediate` when it is on the disk; the failure
  /// where it is neither.
  func write(_ line: String) -> DALError? {
    let number = lastNumber + 1
    let chain = service.writeSync { context in
      let entry = Entry.create(in: context)
      entry.number = number
      entry.text = line
    }
    if chain.failure == nil { lastNumber = number }
    return chain.failure
  }

  func close() throws { try service.close() }

  func list() throws {
    try service.readValue { context in
      for entry in try Entry.all(sortedBy: \.number, in: context) { Console.say(entry.text) }
    }
  }
}

/// Its errors are thrown to `Journal`, which prints them.
private final class JournalService: DALService, @unchecked Sendable {
  // @unchecked: nothing is stored beyond what the superclass has.
  convenience init(_ order: Order) {
    var options = Options()
    options.durability = order.durability
    self.init(options: options) {
      var file = SQLiteStoreOptions()
      file.createsFile = !order.lists
      return try DataStack(
        sqlite: URL(fileURLWithPath: order.path), entities: [Entry.self], options: file)
    }
  }

  override func handleError(_ error: DALError) {}
}
