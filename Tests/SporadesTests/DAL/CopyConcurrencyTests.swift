// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesSQLite
import Testing

@Entity final class Photo: ManagedObject {
  var number: Int = 0
  @Attribute(.externalStorage) var pixels: Data?
}

/// A service copies its store while it is in use.
@Suite struct CopyConcurrencyTests {
  private let folder: TemporaryFolder
  private let service: DALService
  private var file: URL { folder.file("Photos.sqlite") }
  private var backup: URL { folder.file("Backup.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    service = DALService(
      sqlite: folder.file("Photos.sqlite"), entities: [Photo.self],
      options: RecordingService.options { _ in })
  }

  private static func pixels(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number), count: 120_000)
  }

  private func add(_ number: Int) throws {
    try service.writeSync { context in
      for _ in 0..<2 {
        let photo = Photo.create(in: context)
        photo.number = number
        photo.pixels = Self.pixels(number)
      }
    }.get()
  }

  /// Opens a copy, expects a whole store, and returns the numbers in it.
  private func numbers(in copy: URL) throws -> [Int] {
    let stack = try DataStack(sqlite: copy, entities: [Photo.self])
    #expect(try stack.store.integrityProblems() == [])
    let numbers = try stack.main.performAndWait { context in
      try Photo.all(sortedBy: \.number, in: context).map { photo in
        #expect(photo.pixels == Self.pixels(photo.number))
        return photo.number
      }
    }
    try stack.store.close()
    return numbers
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { !$0.hasPrefix("Photos.sqlite") && $0 != ".Photos_SUPPORT" }.sorted()
    }
  }

  @Test func theCopyHoldsEveryEarlierWrite() throws {
    try add(1)
    service.writeAsync { context in
      let photo = Photo.create(in: context)
      photo.number = 2
      photo.pixels = Self.pixels(2)
    }
    try service.copy(to: backup)
    #expect(try numbers(in: backup) == [1, 1, 2])
    #expect(try names == [".Backup_SUPPORT", "Backup.sqlite"])
    try add(3)
    #expect(try numbers(in: backup) == [1, 1, 2])
  }

  @Test func aPlaceThatIsTakenIsLeftAloneUnlessItShallBeReplaced() async throws {
    try add(1)
    try await service.copy(to: backup)
    try add(2)
    let taken = await #expect(throws: DALError.self) { try await service.copy(to: backup) }
    #expect(taken.map { "\($0)" }?.contains(backup.path) == true)
    #expect(taken?.operation == .copy)
    #expect(try numbers(in: backup) == [1, 1])
    try service.writeSync { Photo.first(where: \.number == 1, in: $0)?.delete(in: $0) }.get()
    try await service.copy(to: backup, replacing: true)
    #expect(try numbers(in: backup) == [1, 2, 2])
    let values = folder.file(".Backup_SUPPORT/_EXTERNAL_DATA").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: values).count == 3)
    let letter = folder.file("letter.txt")
    try Data("Dear".utf8).write(to: letter)
    #expect(throws: DALError.self) { try service.copy(to: letter, replacing: true) }
    #expect(try Data(contentsOf: letter) == Data("Dear".utf8))
    #expect(throws: DALError.self) { try service.copy(to: file, replacing: true) }
    #expect(throws: DALError.self) { try service.copy(to: folder.file("no/folder.sqlite")) }
    #expect(try names == [".Backup_SUPPORT", "Backup.sqlite", "letter.txt"])
  }

  @Test func aStoreThatSomebodyHasOpenIsNotReplaced() throws {
    try add(1)
    try service.copy(to: backup)
    let open = try DataStack(sqlite: backup, entities: [Photo.self])
    let error = #expect(throws: DALError.self) { try service.copy(to: backup, replacing: true) }
    guard case .store(let cause)? = error?.code, cause.code == .busy else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try open.store.integrityProblems() == [])
    try open.store.close()
  }

  @Test func aStoreInMemoryIsCopiedToo() throws {
    let service = DALService(inMemory: [Photo.self], options: RecordingService.options { _ in })
    try service.writeSync { Photo.create(in: $0).number = 7 }.get()
    try service.copy(to: backup)
    try service.writeSync { Photo.create(in: $0).number = 8 }.get()
    let copy = DALService(
      sqlite: backup, entities: [Photo.self], options: RecordingService.options { _ in })
    #expect(try copy.readValue { try Photo.all(in: $0).map(\.number) } == [7])
    try copy.close()
    #expect(try service.readValue { try Photo.count(in: $0) } == 2)
  }

  @Test func aFailureIsReportedOnce() throws {
    let service = RecordingService.inMemory()
    #expect(throws: DALError.self) { try service.copy(to: folder.url) }
    #expect(service.errors.map(\.operation) == [.copy])
    try service.close()
    let closed = #expect(throws: DALError.self) { try service.copy(to: backup) }
    #expect(closed?.kind == "closed")
    #expect(try names == [])
  }

  /// Writers add and remove pairs of photos. Each copy has whole pairs, and every pair whose write returned before
  /// the copy began and that nobody removed.
  @Test func copiesUnderWritesAreWholeAndShowOneState() throws {
    let added = Guarded(0)
    let isOver = Guarded(false)
    let writers = DispatchGroup()
    for writer in 0..<2 {
      writers.enter()
      Thread.detachNewThread {
        var number = writer
        while !isOver.withLock({ $0 }) {
          #expect(throws: Never.self) { try add(number) }
          // The first writer's pairs stay, and the second one removes the files of its former pair.
          if writer == 0 {
            added.withLock { $0 += 1 }
          } else {
            let former = number
            service.writeSync { context in
              for photo in Photo.all(where: \.number == former, in: context) {
                photo.delete(in: context)
              }
            }
          }
          number += 2
        }
        writers.leave()
      }
    }
    #expect(eventually { added.withLock { $0 } > 0 })
    for round in 0..<8 {
      let before = added.withLock { $0 }
      let copy = folder.file("Copy\(round).sqlite")
      #expect(throws: Never.self) { try service.copy(to: copy) }
      let numbers = try numbers(in: copy)
      let pairs = Dictionary(grouping: numbers) { $0 }
      #expect(pairs.values.allSatisfy { $0.count == 2 }, "\(numbers)")
      let even = pairs.keys.filter { $0.isMultiple(of: 2) }.sorted()
      #expect(even == Array(stride(from: 0, to: even.count * 2, by: 2)))
      #expect(even.count >= before)
    }
    isOver.withLock { $0 = true }
    writers.wait()
    #expect(try service.stack().store.integrityProblems() == [])
    try service.close()
  }
}
