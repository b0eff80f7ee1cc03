// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// A copy of the probe's entity. The probe's file must fit it.
@Entity final class Note: ManagedObject {
  var number: Int = 0
  @Attribute(.externalStorage) var photo: Data?
}

/// The store after a run of the probe.
enum NoteStore {
  /// Opens the store and writes one more note. Expects a whole store with the numbers 1, 2, 3 … at least up to the
  /// last acknowledged one.
  static func expectWhole(_ store: URL, _ run: FaultRun, _ harm: Harm) throws {
    let stack: DataStack
    do { stack = try DataStack(sqlite: store, entities: [Note.self]) } catch {
      Issue.record("\(harm): the store cannot be opened: \(error)")
      return
    }
    let service = DALService(stack: stack)
    let found = try numbers(service)
    #expect(found == Array(1..<(found.count + 1)), "\(harm)")
    #expect(found.count >= run.acknowledged.last ?? 0, "\(harm): lost \(run.acknowledged)")
    #expect(try stack.store.integrityProblems() == [], "\(harm)")
    let next = found.count + 1
    try service.writeSync(durability: .immediate) { Note.create(in: $0).number = next }.get()
    #expect(try numbers(service) == found + [next], "\(harm)")
    try service.close()
  }

  static func numbers(_ service: DALService) throws -> [Int] {
    try service.readValue { try Note.all(sortedBy: \.number, in: $0).map(\.number) }
  }
}
