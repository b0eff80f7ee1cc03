// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Makes a store, writes to it once, and closes it.
  func playCreation(_ store: URL) throws {
    faults_begin()
    let service = NoteService(store)
    try service.add(1)
    acknowledge(1)
    try service.close()
  }
}
