// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// The probe's entity, declared a second time: the file must fit it.
@Entity final class Note: ManagedObject {
  var number: Int = 0
  @Attribute(.externalStorage) var photo: Data?
}

/// The store that a run of the probe has left.
enum NoteStore {
  /// Opens the store, expects it to be whole and to hold the numbers 1, 2, 3 … at least as far as was
  /// acknowledged, and writes one more note into it.
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
