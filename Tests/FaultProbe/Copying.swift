// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Copies a store twice to one place, and the second copy replaces the first. Each copy holds the notes that were
  /// added before it.
  func playCopying(_ store: URL) throws {
    let copy = store.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    let service = NoteService(store)
    try service.add(1, Self.photo(1))
    try service.add(2, Self.photo(2))
    faults_begin()
    try service.copy(to: copy)
    acknowledge(2)
    try service.add(3, Self.photo(3))
    try service.copy(to: copy, replacing: true)
    acknowledge(3)
  }

  /// Returns bytes that contain their number, and are too many for a row.
  private static func photo(_ number: UInt8) -> Data { Data(repeating: number, count: 120_000) }
}
