// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades
import SporadesXcode

extension Scenario {
  /// Migrates a store of two notes by a mapping model, in place.
  func playMapping(_ store: URL) throws {
    let service = NoteService(store)
    for number in 1...2 {
      try service.add(number, Data(repeating: UInt8(number), count: 120_000))
    }
    try service.close()
    let old = try ManagedObjectModel([Note.self])
    var entities = old.entities
    entities[0].attributes.append(.init("length", .integer64, defaultValue: 7))
    let new = try ManagedObjectModel(entities: entities)
    faults_begin()
    try MigrationManager(source: old, destination: new)
      .migrateStore(from: store, with: .inferred(from: old, to: new))
    acknowledge(1)
  }

  /// Migrates a filled store by a mapping model, and prints the peak of the process's memory.
  func playMappingMany(_ store: URL) throws {
    let old = try ManagedObjectModel([Note.self])
    var entities = old.entities
    entities[0].attributes.append(.init("length", .integer64, defaultValue: 7))
    let new = try ManagedObjectModel(entities: entities)
    try MigrationManager(source: old, destination: new)
      .migrateStore(from: store, with: .inferred(from: old, to: new))
    say("peak \(try Self.peakKilobytes())")
  }

  /// The system's count of a process includes what its parent had, so this reads the list of the process itself.
  private static func peakKilobytes() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(
      separator: "\n")
    let peak = lines.first { $0.hasPrefix("VmHWM:") }
    guard let number = peak?.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) })
    else {
      preconditionFailure("The system does not tell the memory of the process.")
    }
    return number
  }
}
