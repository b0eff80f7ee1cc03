// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// Stores whose paths or names are seldom seen.
@Suite struct UnusualPathTests {
  private func store(_ path: String) throws -> SQLiteStore {
    try SQLiteStore(path: path, model: Sample.model)
  }

  /// SQLite keeps the log beside the file that the link leads to.
  @Test func metadataBehindALinkIsReadWithTheLog() throws {
    let path = Sample.temporaryPath()
    let link = Sample.temporaryPath()
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let store = try store(path)
    try store.setMetadata(["note": .string("in the log")])
    try store.commit(.eventual)
    let metadata = try SQLiteStore.metadata(ofStoreAt: URL(fileURLWithPath: link))
    #expect(metadata["note"] == .string("in the log"))
    try store.close()
  }

  @Test func aPathThatBeginsWithTwoSlashesNamesNoMachine() throws {
    let path = Sample.temporaryPath()
    try store(path).close()
    let identifier = try StoreContent.read(at: path).identifier
    #expect(try StoreContent.read(at: "/" + path).identifier == identifier)
    #expect(identifier != nil)
  }

  @Test(arguments: ["a?b", "a#b", "a%41", "a?\u{301}b", "a#\u{20DD}", "%\u{301}3f"])
  func aNameWithMarksOfAnAddressIsRead(_ name: String) throws {
    let path = Sample.temporaryPath() + name
    try store(path).close()
    #expect(try StoreContent.read(at: path).identifier != nil)
  }

  @Test(arguments: ["123", "1abc", "", "a b", "select", "a\"b"])
  func aNameThatReadsAsSomethingElseIsQuoted(_ name: String) {
    let quoted = SQLiteDialect().quoted(name)
    #expect(quoted.hasPrefix("\""))
    #expect(quoted.hasSuffix("\""))
    #expect(quoted.count >= 2)
  }

  @Test func aNameOfTheModelIsNotQuoted() {
    #expect(SQLiteDialect().quoted("ZNAME2") == "ZNAME2")
  }
}

extension StoreContent {
  fileprivate var identifier: String? {
    if case .store(let identity) = self { identity.identifier } else { nil }
  }
}
