// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesContainers

/// Change sets are written as bytes and read again. Damaged bytes are an error, and never end the process.
@Suite struct StoredChangesTests {
  private static let model = SampleLibrary.model

  private static func sample(_ seed: UInt64) -> ChangeSet {
    let rows = SampleLibrary.rows(seed: seed)
    let author = RowDraft("Author", 1, ["name": "ä𝄞", "rating": 0.5])
    let novel = RowDraft(
      "Novel", 2, ["title": "t", "isRead": true, "cover": .data(Data([0, 1, 255]))],
      to: ["author": author])
    let updates = ChangeSet(
      updating: [
        author.changed(["name": "b"]), RowDraft("Author", 7, [:]).changed(["born": .null]),
        novel.changed(["genre": "g"], to: ["author": nil]),
      ], deleting: [author],
      links: [
        LinkChange(author, "favourites", adding: [novel], removing: [novel], moving: [novel]),
        LinkChange(author, "friends", adding: [author]),
      ])
    return ChangeSet(
      inserted: rows.inserted, updated: updates.updated, deleted: updates.deleted,
      links: rows.links + updates.links,
      expected: [RowVersion(key: author.key, version: .max)], author: "a", contextName: nil)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func whatIsWrittenIsRead(seed: UInt64) throws {
    let written = [Self.sample(seed), ChangeSet(), Self.sample(seed + 100)]
    let bytes = try StoredChanges.bytes(of: written, Self.model)
    let read = try StoredChanges.changes(in: bytes, Self.model)
    #expect(read.count == 3)
    for (one, other) in zip(written, read) { Self.expectEqual(one, other) }
    #expect(try StoredChanges.bytes(of: read, Self.model) == bytes)
  }

  private static func expectEqual(_ one: ChangeSet, _ other: ChangeSet) {
    #expect(one.deleted == other.deleted && one.expected == other.expected)
    #expect(one.links == other.links)
    #expect(one.author == other.author && one.contextName == other.contextName)
    #expect(one.updated.map(\.changedSlots) == other.updated.map(\.changedSlots))
    let pages = (
      one.inserted + one.updated.map(\.page), other.inserted + other.updated.map(\.page)
    )
    #expect(pages.0.map(\.count) == pages.1.map(\.count))
    for (first, second) in zip(pages.0, pages.1) {
      for index in 0..<first.count {
        #expect(first.key(index) == second.key(index))
        #expect(first.version(index) == second.version(index))
        for slot in first.layout.slots.indices {
          #expect(first.holds(index, slot: slot, sameAs: second, index))
        }
      }
    }
  }

  // MARK: - Damage

  @Test func everyCutIsAnError() throws {
    let bytes = try StoredChanges.bytes(of: [Self.sample(1)], Self.model)
    var cuts = 0
    for count in stride(from: 0, to: bytes.count, by: 7) {
      for cut in [Array(bytes[..<count]), Self.signed(Array(bytes[..<count]))] {
        #expect(Self.refusal(of: cut) == .corrupt, "\(count) bytes")
        cuts += 1
      }
    }
    #expect(cuts > 500)
    #expect(Self.refusal(of: bytes + [0]) == .corrupt)
    #expect(Self.refusal(of: Self.signed(bytes + [0])) == .corrupt)
  }

  /// Any changed byte breaks the checksum.
  @Test func everyChangedByteIsAnError() throws {
    let bytes = try StoredChanges.bytes(of: [Self.sample(2)], Self.model)
    for place in stride(from: 0, to: bytes.count, by: 11) {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      #expect(Self.refusal(of: damaged) != nil, "byte \(place)")
    }
  }

  /// Somebody changed bytes and the checksum: the result is read, or refused with an error of ours.
  @Test(arguments: 0..<8) func mutantsAreReadOrRefused(seed: UInt64) throws {
    let bytes = try StoredChanges.bytes(of: [Self.sample(seed)], Self.model)
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for _ in 0..<400 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: StoredChanges.headSize..<mutant.count, using: &random)
        let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
        mutant[place] = values[Int.random(in: 0..<values.count, using: &random)]
      }
      do {
        for changes in try StoredChanges.changes(in: Self.signed(mutant), Self.model) {
          // All texts and blobs are read.
          _ = try StoredChanges.bytes(of: [changes], Self.model)
        }
      } catch {
        if case .incompatibleModel = error.code {} else { #expect(error.code == .corrupt) }
        refused += 1
      }
    }
    #expect(refused > 50)
  }

  @Test func aNewerFormIsNotRead() throws {
    var bytes = try StoredChanges.bytes(of: [Self.sample(1)], Self.model)
    bytes[StoredChanges.mark.count] = StoredChanges.version + 1
    #expect(Self.refusal(of: bytes) == .unsupported)
  }

  private static func refusal(of bytes: [UInt8]) -> StoreError.Code? {
    do throws(StoreError) {
      _ = try StoredChanges.changes(in: bytes, model)
      return nil
    } catch {
      return error.code
    }
  }

  /// The bytes with the checksum that fits them.
  private static func signed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= StoredChanges.headSize else { return bytes }
    var writer = ByteWriter()
    writer.write(StoredChanges.checksum(of: bytes[StoredChanges.headSize...]))
    var signed = bytes
    signed.replaceSubrange(
      StoredChanges.mark.count + 1..<StoredChanges.headSize, with: writer.bytes)
    return signed
  }
}
