// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// Programs that save through a bare stack and end at once.
@Suite(.serialized, .timeLimit(.minutes(60))) struct EndOfMainTests {
  private static let rounds = 10

  @Test(arguments: ["kept", "dropped"])
  func theEndOfMainKeepsWhatABareStackHasAccepted(stack: String) async throws {
    let file = try BankFile()
    for _ in 0..<Self.rounds {
      let probe = try ProbeProcess("end", file.store, stack)
      #expect(await probe.rest() == ["saved"])
    }
    let titles = try DataStack(sqlite: file.store, entities: Bank.classes).newContext()
      .performAndWait { context in try Bank.Note.all(in: context).map(\.title) }
    #expect(titles.count == 2 * Self.rounds, "\(titles)")
  }
}
