// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// Models are written into files and folders wholly, or not at all.
@Suite struct FileWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func model(_ name: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [EntityDescription(name)])
  }

  private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

  /// The names of all files and folders below the folder.
  private func names(_ path: String = "") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url(path).path).sorted()
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: ModelError.self) { try body() }
    return error?.problems.map { "\($0.code.rawValue): \($0.detail)" }.joined()
      .replacingOccurrences(of: folder.url.resolvingSymlinksInPath().path + "/", with: "")
      .replacingOccurrences(of: folder.url.path + "/", with: "")
  }

  @Test(arguments: ["xcdatamodeld", "xcdatamodel", "momd", "mom"])
  func everyFormIsReadAgain(ending: String) throws {
    let place = url("M.\(ending)")
    try model("A").write(to: place)
    #expect(try ManagedObjectModel(contentsOf: place).entities.map(\.name) == ["A"])
    let expected =
      switch ending {
      case "xcdatamodeld":
        [
          "M.xcdatamodeld", "M.xcdatamodeld/.xccurrentversion", "M.xcdatamodeld/M.xcdatamodel",
          "M.xcdatamodeld/M.xcdatamodel/contents",
        ]
      case "xcdatamodel": ["M.xcdatamodel", "M.xcdatamodel/contents"]
      case "momd": ["M.momd", "M.momd/M.mom", "M.momd/VersionInfo.plist"]
      default: ["M.mom"]
      }
    #expect(try names() == expected)
  }

  @Test(arguments: ["xcdatamodeld", "xcdatamodel", "momd", "mom"])
  func whatIsThereIsReplacedOnlyIfAsked(ending: String) throws {
    let place = url("M.\(ending)")
    try model("A").write(to: place)
    let before = try names()
    #expect(
      refusal { try model("B").write(to: place) }
        == "unwritableFile: M.\(ending) is there already; pass replacing: true, or choose another name."
    )
    #expect(try ManagedObjectModel(contentsOf: place).entities.map(\.name) == ["A"])
    try model("B").write(to: place, replacing: true)
    #expect(try ManagedObjectModel(contentsOf: place).entities.map(\.name) == ["B"])
    #expect(try names() == before)
  }

  @Test(arguments: ["xcdatamodeld", "mom"])
  func whatAKilledWriterLeftIsRemoved(ending: String) throws {
    let (left, held) = (url(".sporades-model-left"), url(".sporades-model-held"))
    for draft in [left, held] {
      try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
      try Data("half".utf8).write(to: draft.appendingPathComponent("draft"))
    }
    // Another writer is at work here.
    let descriptor = unsafe open(held.path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    // A file of somebody else.
    try Data("theirs".utf8).write(to: url(".sporades-model-file"))
    try model("A").write(to: url("M.\(ending)"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(
      Set(names) == ["M.\(ending)", ".sporades-model-held", ".sporades-model-file"])
  }

  @Test func writersSideBySideDoNotRemoveEachOther() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let (model, url) = (try model("A"), url("\(number).xcdatamodeld"))
        group.addTask { try model.write(to: url) }
      }
      try await group.waitForAll()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == Set((0..<40).map { "\($0).xcdatamodeld" }))
  }

  @Test func versionsAreWrittenWithTheCurrentOne() throws {
    for (form, ending) in [("xcdatamodeld", "xcdatamodel"), ("momd", "mom")] {
      let place = url("M.\(form)")
      try ModelFile.write(
        [("M", model("A")), ("M & 2", model("B"))], current: "M & 2", to: place)
      let versions = try ModelFile.versions(at: place)
      #expect(versions.map(\.name) == ["M", "M & 2"])
      #expect(versions.map(\.isCurrent) == [false, true])
      #expect(versions[0].url.lastPathComponent == "M.\(ending)")
      #expect(try versions[0].model().entities.map(\.name) == ["A"])
      #expect(try ManagedObjectModel(contentsOf: place).entities.map(\.name) == ["B"])
    }
    let checksums = try ModelFile.checksums(at: url("M.momd"))
    #expect(
      try checksums == ["M": model("A").versionChecksum, "M & 2": model("B").versionChecksum])
  }

  @Test(arguments: ["xcdatamodeld", "momd"])
  func aVersionIsAdded(form: String) throws {
    let place = url("M.\(form)")
    try model("A").write(to: place)
    try ModelFile.add(model("B"), named: "M 2", to: place)
    try ModelFile.add(model("C"), named: "M 3", to: place, makingCurrent: false)
    let versions = try ModelFile.versions(at: place)
    #expect(versions.map(\.name) == ["M", "M 2", "M 3"])
    #expect(versions.map(\.isCurrent) == [false, true, false])
    #expect(
      refusal { try ModelFile.add(model("D"), named: "M 2", to: place) }
        == "unwritableFile: M.\(form) would hold two versions of one name; rename one of them.")
    #expect(try versions.map { try $0.model().entities[0].name } == ["A", "B", "C"])
  }

  /// Without a list, a second version would leave the folder without a current one.
  @Test func theOnlyVersionStaysCurrentWhenAnotherIsAdded() throws {
    let place = url("M.xcdatamodeld")
    try model("A").write(to: place)
    try FileManager.default.removeItem(at: place.appendingPathComponent(".xccurrentversion"))
    try ModelFile.add(model("B"), named: "N", to: place, makingCurrent: false)
    #expect(try ManagedObjectModel(contentsOf: place).entities.map(\.name) == ["A"])
  }

  @Test func mistakesInNamesAreRefused() throws {
    #expect(
      refusal { try model("A").write(to: url("M.sqlite")) }
        == "unwritableFile: M.sqlite does not say in which form to write a model; end the name with "
        + ".xcdatamodeld, .xcdatamodel, .momd or .mom.")
    for name in ["", ".hidden", "a/b", "a\0b"] {
      let text = refusal {
        try ModelFile.write([(name, model("A"))], current: name, to: url("M.momd"))
      }
      #expect(text?.contains("use a name that a file can have") == true)
    }
    #expect(
      refusal { try ModelFile.write([("M", model("A"))], current: "N", to: url("M.momd")) }?
        .contains("would hold no version named N") == true)
    #expect(
      refusal { try ModelFile.write([("M", model("A"))], current: "M", to: url("M.mom")) }?
        .contains("holds one version") == true)
    #expect(
      refusal { try ModelFile.add(model("A"), named: "M", to: url("M.xcdatamodel")) }?
        .contains("holds one version") == true)
    #expect(try names() == [])
  }

  @Test func foldersWithOtherFilesAreNotReplaced() throws {
    try folder.write("text", to: "M.xcdatamodeld/letter.txt")
    #expect(
      refusal { try model("A").write(to: url("M.xcdatamodeld"), replacing: true) }
        == "unwritableFile: M.xcdatamodeld holds letter.txt, which is no part of a model, and is not "
        + "replaced; move it away.")
    try model("A").write(to: url("V.xcdatamodeld"))
    try folder.write("text", to: "V.xcdatamodeld/V.xcdatamodel/letter.txt")
    #expect(
      refusal { try model("A").write(to: url("V.xcdatamodeld"), replacing: true) }?
        .contains("holds V.xcdatamodel/letter.txt, which is no part of a model") == true)
    try FileManager.default.removeItem(at: url("V.xcdatamodeld"))
    try folder.write("text", to: "N.mom/letter.txt")
    #expect(
      refusal { try model("A").write(to: url("N.mom"), replacing: true) }?
        .contains("is a folder") == true)
    #expect(
      try names() == ["M.xcdatamodeld", "M.xcdatamodeld/letter.txt", "N.mom", "N.mom/letter.txt"])
  }

  /// A file where a folder is to lie, and a folder that nothing may be written into.
  @Test func failuresLeaveNothingBehind() throws {
    try folder.write("text", to: "M.xcdatamodeld")
    #expect(
      refusal { try model("A").write(to: url("M.xcdatamodeld")) }?
        .contains("is there already") == true)
    #expect(
      refusal { try model("A").write(to: url("M.xcdatamodeld"), replacing: true) }?
        .contains("is a file, and this form of a model is a folder") == true)
    #expect(
      refusal { try model("A").write(to: url("nowhere/M.mom")) }?
        .contains("nowhere/M.mom cannot be written") == true)
    #expect(try names() == ["M.xcdatamodeld"])
    #expect(try String(contentsOf: url("M.xcdatamodeld"), encoding: .utf8) == "text")
  }

  @Test func aLinkStaysAndItsTargetIsWritten() throws {
    try model("A").write(to: url("M.mom"))
    try FileManager.default.createSymbolicLink(
      at: url("L.mom"), withDestinationURL: url("M.mom"))
    try model("B").write(to: url("L.mom"), replacing: true)
    #expect(try ManagedObjectModel(contentsOf: url("M.mom")).entities.map(\.name) == ["B"])
    let link = try FileManager.default.attributesOfItem(atPath: url("L.mom").path)
    #expect(link[.type] as? FileAttributeType == .typeSymbolicLink)
  }
}
