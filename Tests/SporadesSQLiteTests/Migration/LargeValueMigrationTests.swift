// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Large values of a store whose model switches external storage on or off, or gives values up.
@Suite struct LargeValueMigrationTests {
  private let path = Sample.temporaryPath()

  private func model(
    isExternal: Bool, _ change: (inout EntityDescription) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = isExternal
    var picture = EntityDescription(
      "Picture",
      attributes: [
        AttributeDescription("number", .integer32, isOptional: true), photo,
      ])
    change(&picture)
    let other = EntityDescription(
      "Zebra", attributes: [AttributeDescription("name", .string, isOptional: true)])
    return try ManagedObjectModel(entities: [picture, other])
  }

  private static func photo(_ number: Int) -> Data? {
    switch number % 4 {
    case 0: nil
    case 1: Data(repeating: UInt8(number), count: 150_000)
    case 2: Data(repeating: UInt8(number), count: 100)
    default: Data()
    }
  }

  private func fill(_ model: ManagedObjectModel) throws {
    let stack = DataStack(store: try SQLiteStore(path: path, model: model))
    try stack.newContext().performAndWait { context in
      for number in 1...12 {
        let picture = try context.insert(entityNamed: "Picture")
        picture["number"] = .integer(Int64(number))
        picture["photo"] = Self.photo(number).map { .data($0) } ?? .null
      }
      try context.save()
    }
    try stack.store.close()
  }

  private func expectPhotos(_ model: ManagedObjectModel, _ name: String = "photo") throws {
    let stack = DataStack(store: try SQLiteStore(path: path, model: model))
    try stack.newContext().performAndWait { context in
      let pictures = try context.fetch(FetchRequest("Picture"))
      #expect(pictures.count == 12)
      for picture in pictures {
        guard case .integer(let number) = picture["number"] else { continue }
        let expected = Self.photo(Int(number)).map { Value.data($0) } ?? .null
        #expect(picture[name] == expected, "\(number)")
      }
    }
    #expect(try stack.store.integrityProblems() == [])
    try stack.store.close()
  }

  private var files: [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    // A store without large values has no such folder.
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  private func texts(_ sql: String) throws -> [String] {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    return unsafe try SQLRows.texts(database, sql)
  }

  @Test func valuesMoveIntoFiles() throws {
    try fill(model(isExternal: false))
    #expect(files == [])
    try expectPhotos(model(isExternal: true))
    #expect(files.count == 3)
    #expect(
      try texts(
        "SELECT hex(substr(ZPHOTO, 1, 1)) || ' ' || COUNT(*) FROM ZPICTURE WHERE ZPHOTO NOT NULL GROUP BY hex(substr(ZPHOTO, 1, 1)) ORDER BY 1"
      ).map { $0.prefix(4) } == ["01 6", "02 3"])
  }

  @Test func valuesComeBackIntoTheirRows() throws {
    try fill(model(isExternal: true))
    #expect(files.count == 3)
    try expectPhotos(model(isExternal: false))
    #expect(files == [])
    #expect(try texts("SELECT COUNT(*) FROM ZPICTURE WHERE LENGTH(ZPHOTO) = 150000") == ["3"])
  }

  @Test func valuesGoThereAndBackWhileTheTableIsWrittenAnew() throws {
    try fill(model(isExternal: false))
    try expectPhotos(
      model(isExternal: true) { $0.attributes.append(.init("more", .string, isOptional: true)) })
    try expectPhotos(
      model(isExternal: false) { $0.attributes.append(.init("other", .date, isOptional: true)) })
    #expect(files == [])
  }

  @Test func aRenamedAttributeKeepsItsFiles() throws {
    try fill(model(isExternal: true))
    let before = files.sorted()
    let renamed = try model(isExternal: true) {
      $0.attributes[1].name = "image"
      $0.attributes[1].renamingIdentifier = "photo"
      $0.attributes.removeFirst()
      $0.attributes.append(.init("number", .string, isOptional: true))
    }
    try SQLiteStore(path: path, model: renamed).close()
    #expect(files.sorted() == before && before.count == 3)
  }

  @Test(arguments: [true, false]) func filesOfValuesThatGoAreRemoved(isWholeEntity: Bool) throws {
    try fill(model(isExternal: true))
    #expect(files.count == 3)
    let without = try model(isExternal: true) {
      if isWholeEntity { $0.name = "Painting" } else { $0.attributes.removeLast() }
    }
    try SQLiteStore(path: path, model: without, options: .losing).close()
    #expect(files == [])
  }

  @Test func aMissingFileStopsTheMigration() throws {
    try fill(model(isExternal: true))
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.removeItem(at: folder.appendingPathComponent(try #require(files.first)))
    let rows = try texts("SELECT quote(ZPHOTO) FROM ZPICTURE")
    let inline = try model(isExternal: false)
    let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path, model: inline) }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.unreadableFile])
    #expect(problems.first?.property == "photo" && problems.first?.count == 1)
    #expect(problems.first?.keys.count == 1)
    #expect(try texts("SELECT quote(ZPHOTO) FROM ZPICTURE") == rows)
    #expect(files.count == 2)
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: URL(fileURLWithPath: path), to: inline)
    #expect(forecast.problems.map(\.kind) == [.unreadableFile])
    // The bytes are not needed where the value stays in its file.
    let more = try model(isExternal: true) {
      $0.attributes.append(.init("more", .string, isOptional: true))
    }
    try SQLiteStore(path: path, model: more).close()
    #expect(files.count == 2)
  }

  @Test func aFolderThatCannotBeWrittenLeavesTheStoreAsItWas() throws {
    try fill(model(isExternal: false))
    let support = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(".Store_SUPPORT")
    try Data().write(to: support)
    let outside = try model(isExternal: true)
    let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path, model: outside) }
    #expect(error?.code == .io, "\(String(describing: error))")
    #expect(error?.detail.contains("large value") == true)
    try FileManager.default.removeItem(at: support)
    try expectPhotos(model(isExternal: false))
  }
}
