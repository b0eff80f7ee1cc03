// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

@Suite struct FolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ entity: String, to path: String) throws {
    try folder.write(TemporaryFolder.text("<entity name=\"\(entity)\"/>"), to: path + "/contents")
  }

  private func writeCurrent(_ name: String) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
      """, to: "M.xcdatamodeld/.xccurrentversion")
  }

  private var model: URL { folder.url.appendingPathComponent("M.xcdatamodeld") }

  @Test func readsTheCurrentVersion() throws {
    try write("Old", to: "M.xcdatamodeld/M.xcdatamodel")
    try write("New", to: "M.xcdatamodeld/M 2.xcdatamodel")
    try writeCurrent("M 2.xcdatamodel")
    #expect(try ManagedObjectModel(contentsOf: model).entities.map(\.name) == ["New"])
    let versions = try ModelFile.versions(at: model)
    #expect(versions.map(\.name) == ["M", "M 2"])
    #expect(versions.map(\.isCurrent) == [false, true])
    #expect(try versions[0].model().entities.map(\.name) == ["Old"])
  }

  @Test func versionsFollowTheirNumbers() throws {
    let names = ["M 10", "M", "M 2", "M 2b", "M 1"]
    for name in names { try write("A", to: "M.xcdatamodeld/\(name).xcdatamodel") }
    try writeCurrent("M 10.xcdatamodel")
    let versions = try ModelFile.versions(at: model)
    #expect(versions.map(\.name) == ["M", "M 1", "M 2", "M 2b", "M 10"])
  }

  @Test func theOnlyVersionIsCurrent() throws {
    try write("A", to: "M.xcdatamodeld/M.xcdatamodel")
    #expect(try ManagedObjectModel(contentsOf: model).entities.map(\.name) == ["A"])
    #expect(try ModelFile.versions(at: model).map(\.isCurrent) == [true])
  }

  @Test func severalVersionsNeedACurrentOne() throws {
    try write("A", to: "M.xcdatamodeld/M.xcdatamodel")
    try write("B", to: "M.xcdatamodeld/N.xcdatamodel")
    #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: model) }
    #expect(try ModelFile.versions(at: model).map(\.isCurrent) == [false, false])
  }

  @Test(arguments: ["Gone.xcdatamodel", "../M.xcdatamodel", "/etc"])
  func refusesCurrentVersionsOutsideTheFolder(name: String) throws {
    try write("A", to: "M.xcdatamodeld/M.xcdatamodel")
    try writeCurrent(name)
    #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: model) }
  }

  @Test func refusesFoldersWithoutModel() throws {
    for path in ["M.xcdatamodeld/note", "N.xcdatamodel/note", "O.xcdatamodel/elements"] {
      try folder.write("x", to: path)
      let url = folder.url.appendingPathComponent(path).deletingLastPathComponent()
      #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: url) }
    }
  }

  @Test func findsModelsByName() throws {
    try write("A", to: "one/M.xcdatamodel")
    try write("B", to: "two/M.xcdatamodeld/M.xcdatamodel")
    let folders = ["nowhere", "two", "one"].map { folder.url.appendingPathComponent($0) }
    #expect(try ManagedObjectModel(named: "M", in: folders).entities.map(\.name) == ["B"])
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(named: "N", in: folders)
    }
    #expect(error?.problems.map(\.code) == [.unreadableFile])
    #expect(throws: ModelError.self) { try ManagedObjectModel(named: "../one/M", in: folders) }
  }

  @Test func searchesTheFoldersOfTheProgramAndItsResources() {
    let paths = ModelFile.searchFolders.map(\.path)
    #expect(paths.first == FileManager.default.currentDirectoryPath)
    #expect(paths.contains { $0.hasSuffix("/Models") })
    #expect(paths.contains { $0.hasSuffix("/Resources") })
  }
}
