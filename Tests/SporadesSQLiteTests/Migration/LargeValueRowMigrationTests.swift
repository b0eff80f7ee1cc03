// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Code for rows whose values may lie in files.
@Suite struct LargeValueRowMigrationTests {
  enum Stored: CaseIterable {
    case inRow, outside

    fileprivate func photo(_ name: String = "photo") -> AttributeDescription {
      var photo = AttributeDescription(name, .binary, isOptional: true)
      photo.allowsExternalBinaryDataStorage = self == .outside
      return photo
    }
  }

  struct Target: Sendable {
    let stored: Stored
    let isRewritten: Bool
    static let all = Stored.allCases.flatMap { stored in
      [false, true].map { Target(stored: stored, isRewritten: $0) }
    }
  }

  /// Version 2 has a length; with `isRewritten` the number is a text, so that the table is written again.
  private func model(
    _ photo: AttributeDescription, version: Int, isRewritten: Bool = false
  ) throws -> ManagedObjectModel {
    var attributes = [
      AttributeDescription("name", .string, isOptional: true),
      AttributeDescription("number", isRewritten ? .string : .integer32, isOptional: true), photo,
    ]
    if version == 2 { attributes.append(.init("length", .integer64, isOptional: true)) }
    return try ManagedObjectModel(entities: [EntityDescription("Picture", attributes: attributes)])
  }

  private static let photos: [Data?] = [
    nil, Data(), Data([1, 2, 3]), Data(repeating: 4, count: 150_000),
    Data(repeating: 5, count: 300_000), Data([2]),
  ]

  private func store(_ old: ManagedObjectModel, _ new: ManagedObjectModel) throws -> MigratedStore {
    try MigratedStore(from: old, to: new) { context in
      for (number, photo) in Self.photos.enumerated() {
        try context.make(
          "Picture",
          [
            "name": .string("\(number)"), "number": .integer(Int64(number)),
            "photo": photo.map { .data($0) } ?? .null,
          ])
      }
    }.alone
  }

  private func migrate(
    _ store: MigratedStore, _ work: (@Sendable (MigratedRow) throws -> Void)...
  ) throws -> DataStack {
    _ = try SQLiteStore.migrate(
      storeAt: store.url, to: store.new, options: store.options,
      rowWork: work.map { RowWork("Picture", $0) })
    return try store.migrate()
  }

  private func values(_ stack: DataStack, _ name: String) throws -> [Value] {
    var all: [Value] = []
    try stack.look { all = try $0.values("Picture", name) }
    return all
  }

  private func files(_ store: MigratedStore) -> Set<String> {
    let folder = store.url.deletingLastPathComponent()
      .appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    // A store without large values has no such folder.
    return Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
  }

  private static let measure: @Sendable (MigratedRow) throws -> Void = { row in
    guard row.old["photo"] == row["picture"] else { throw CocoaError(.fileReadCorruptFile) }
    if case .data(let bytes) = row.old["photo"] { row["length"] = .integer(Int64(bytes.count)) }
  }

  @Test(arguments: Stored.allCases, Target.all)
  func valuesAreRead(from: Stored, to: Target) throws {
    var picture = to.stored.photo("picture")
    picture.renamingIdentifier = "photo"
    let store = try store(
      model(from.photo(), version: 1), model(picture, version: 2, isRewritten: to.isRewritten))
    let stack = try migrate(store, Self.measure)
    #expect(
      try values(stack, "length")
        == Self.photos.map { $0.map { .integer(Int64($0.count)) } ?? .null })
    #expect(try values(stack, "picture") == Self.photos.map { $0.map { .data($0) } ?? .null })
    #expect(files(store).count == (to.stored == .outside ? 2 : 0))
    try stack.store.close()
  }

  @Test(arguments: Stored.allCases, Target.all)
  func valuesAreSet(from: Stored, to: Target) throws {
    let store = try store(
      model(from.photo(), version: 1),
      model(to.stored.photo(), version: 2, isRewritten: to.isRewritten))
    let former = files(store)
    // What the first work sets goes with the second, and needs no file.
    let stack = try migrate(
      store,
      { $0["photo"] = .data(Data(repeating: 9, count: 200_000)) },
      { row in
        guard case .data(let set) = row["photo"], set.count == 200_000 else {
          throw CocoaError(.fileReadCorruptFile)
        }
        switch row.old["name"] {
        case "0": row["photo"] = .data(Data(repeating: 7, count: 250_000))
        case "1": row["photo"] = .data(Data([7]))
        default: row["photo"] = .null
        }
      })
    let expected: [Value] = [.data(Data(repeating: 7, count: 250_000)), .data(Data([7]))]
    #expect(
      try values(stack, "photo")
        == expected + Array(repeating: .null, count: Self.photos.count - 2))
    #expect(files(store).count == (to.stored == .outside ? 1 : 0))
    #expect(files(store).isDisjoint(with: former))
    try stack.store.close()
  }

  @Test(arguments: [false, true]) func aMissingFileIsNamed(isRewritten: Bool) throws {
    let store = try store(
      model(Stored.outside.photo(), version: 1),
      model(Stored.outside.photo(), version: 2, isRewritten: isRewritten))
    let gone = try #require(files(store).first)
    try FileManager.default.removeItem(
      at: store.url.deletingLastPathComponent()
        .appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA/\(gone)"))
    let before = try store.plain().contents()
    let error = #expect(throws: StoreError.self) { try migrate(store) { _ = $0.old["photo"] } }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.unreadableFile])
    #expect(problems.first?.property == "photo" && problems.first?.keys.count == 1)
    #expect(error?.description.contains("Restore it from a copy") == true)
    #expect(try store.plain().contents() == before)
    #expect(files(store).count == 1)
    // Code that does not ask for the value needs no file.
    _ = try SQLiteStore.migrate(
      storeAt: store.url, to: store.new, options: store.options,
      rowWork: [RowWork("Picture") { $0["length"] = 1 }])
    #expect(files(store).count == 1)
  }

  @Test func failingCodeLeavesNoFiles() throws {
    let store = try store(
      model(Stored.outside.photo(), version: 1), model(Stored.outside.photo(), version: 2))
    let (rows, former) = (try store.plain().contents(), files(store))
    #expect(throws: StoreError.self) {
      try migrate(store) { row in
        row["photo"] = .data(Data(repeating: 9, count: 200_000))
        if row["name"] == "4" { throw CocoaError(.featureUnsupported) }
      }
    }
    #expect(try store.plain().contents() == rows)
    #expect(files(store) == former)
  }

  @Test func aValueOfAnotherKindIsRefused() throws {
    let store = try store(
      model(Stored.outside.photo(), version: 1), model(Stored.outside.photo(), version: 2))
    let error = #expect(throws: StoreError.self) { try migrate(store) { $0["photo"] = "text" } }
    #expect(error?.description.contains("cannot hold a value of the kind") == true)
  }
}
