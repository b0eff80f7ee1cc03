// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Opens a closed store again and writes to it twice. Repeats each step until it succeeds.
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

  /// Repeats a step until it succeeds, up to five times.
  private func again(_ step: () throws -> Void) throws {
    for _ in 1...4 { if (try? step()) != nil { return } }
    try step()
  }

  /// One of several processes that make one store and write to it at once. Each process has its own numbers.
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
