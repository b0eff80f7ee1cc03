// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// A store that was closed is opened again and written twice, each time until it succeeds.
  func playOpening(_ store: URL) throws {
    let first = NoteService(store)
    try first.add(1)
    acknowledge(1)
    try first.close()
    faults_begin()
    let service = NoteService(store)
    _ = try service.stack()
    say("opened")
    for number in 2...3 {
      try again { try service.add(number) }
      acknowledge(number)
    }
    try again { try service.close() }
  }

  /// Does a step up to five times.
  private func again(_ step: () throws -> Void) throws {
    for _ in 1...4 { if (try? step()) != nil { return } }
    try step()
  }

  /// Several processes make one store and write into it at once, each under numbers of its own.
  func playRacing(_ store: URL) throws {
    let service = NoteService(store)
    let first = Int(getpid()) * 10
    for number in first..<(first + 3) {
      try service.add(number)
      acknowledge(number)
    }
    try service.close()
  }
}
