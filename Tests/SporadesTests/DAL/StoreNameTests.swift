// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesXcode
import Testing

/// A name is no path. Where a path is given, the error says what to write.
@Suite struct StoreNameTests {
  static let mistakes = [
    (
      "/tmp/x.sqlite",
      "it is a path. For a file of your choice pass URL(fileURLWithPath: \"/tmp/x.sqlite\")."
    ),
    ("../x", "it is a path."), (".", "it is a path."), ("", "it is empty."),
    ("file:x", "it is the text of a URL."), ("App.sqlite", "Write \"App\"."),
    (":memory:", "Write inMemory: with the classes or the model."),
  ]

  @Test(arguments: mistakes)
  func aPathIsRefusedWithTheCallToUse(name: String, words: String) {
    let services = [
      RecordingService(
        sqlite: name, entities: [Member.self], options: RecordingService.options { _ in }),
      RecordingService(sqlite: name, options: RecordingService.options { _ in }),
    ]
    for service in services {
      let error = #expect(throws: DALError.self) { try service.readValue { _ in 1 } }
      #expect(error?.description.contains(words) == true, "\(error as Any)")
    }
    #expect(throws: StoreError.self) { try DataStack(sqlite: name, entities: [Member.self]) }
    #expect(throws: StoreError.self) {
      try PersistentContainer(name: name, entities: [Member.self]).loadPersistentStores()
    }
  }
}
