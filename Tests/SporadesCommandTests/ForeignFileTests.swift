// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// Stores that others hold, databases of other programs, and readers that have gone.
@Suite struct ForeignFileTests {
  private let folder: WorkFolder

  init() throws { folder = try WorkFolder() }

  private func withDatabase(_ path: String, _ sql: String, _ body: () throws -> Void) throws {
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
    try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    try body()
  }

  @Test func aDatabaseOfAnotherProgramIsNoStore() throws {
    let path = folder.path("Other.sqlite")
    try withDatabase(
      path, "CREATE TABLE NOTE (ID INTEGER PRIMARY KEY, TEXT); INSERT INTO NOTE VALUES (1, 'x')"
    ) {}
    for words in [["inspect"], ["dump", "NOTE"], ["check"], ["history"], ["vacuum"]] {
      let run = try CommandRun([words[0], path] + words.dropFirst())
      #expect(run.status == 3, "\(words)")
      #expect(run.errors.contains("not a Core Data store"), "\(run.errors)")
    }
  }

  @Test func aStoreThatAProgramLocksIsSaidToBeBusy() throws {
    let shop = try ShopStore(in: folder)
    try withDatabase(
      shop.path, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; UPDATE ZCUSTOMER SET ZAGE = 1"
    ) {
      let run = try CommandRun("vacuum", shop.path)
      #expect(run.status == 3)
      #expect(run.errors.hasPrefix("sporades: "), "\(run.errors)")
      let look = try CommandRun("inspect", shop.path)
      #expect(look.status == 3 || look.output.contains("Customer"), "\(look.errors)")
    }
    #expect(
      try CommandRun("query", shop.path, "count Customer where age == 1").output
        == "{\"count\":0}\n")
  }

  @Test func aReaderThatHasGoneEndsTheProgramWithoutAWord() throws {
    let shop = try ShopStore(in: folder, customers: 9_000)
    let process = CommandRun.process(["dump", shop.path, "Customer"], nil, [:])
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let first = output.fileHandleForReading.availableData
    #expect(!first.isEmpty)
    try output.fileHandleForReading.close()
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 141)
  }

  @Test func textsOfAStoreCannotCommandATerminal() throws {
    let shop = try ShopStore(in: folder)
    try withDatabase(
      shop.path, "UPDATE ZCUSTOMER SET ZNAME = 'a' || char(27) || '[2J' || char(155) || 'b'"
    ) {}
    let run = try CommandRun(
      onTerminal: 200, "dump", shop.path, "Customer", environment: ["NO_COLOR": "1"])
    #expect(run.status == 0)
    #expect(!run.output.unicodeScalars.contains { $0.value == 27 || $0.value == 155 })
    #expect(run.output.contains("a�[2J�b"), "\(run.output)")
  }

  @Test func theCompletionAndTheManualNameEachVerb() throws {
    let help = try CommandRun("--help").output
    let verbs = help.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(verbs.count > 10)
    for words in [
      ["completion", "bash"], ["completion", "zsh"], ["completion", "fish"], ["man"],
    ] {
      let run = try CommandRun(words)
      #expect(run.status == 0)
      for verb in verbs { #expect(run.output.contains(verb), "\(words): \(verb)") }
    }
    #expect(try CommandRun("completion", "bsh").errors.contains("bash"))
  }

  @Test func bashCompletesVerbsAndOptions() throws {
    let script = folder.url.appendingPathComponent("complete.sh")
    try """
    source <('\(CommandRun.executable.path)' completion bash)
    COMP_WORDS=(sporades ins); COMP_CWORD=1; _sporades; echo "${COMPREPLY[*]}"
    COMP_WORDS=(sporades dump x --whe); COMP_CWORD=3; _sporades; echo "${COMPREPLY[*]}"
    """.write(to: script, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [script.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "inspect\n--where\n")
  }

  @Test func aNewPackageHasItsFiles() throws {
    let library = folder.url.appendingPathComponent("Library")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    try Data().write(to: library.appendingPathComponent("Package.swift"))
    let run = try CommandRun("new", "Shop", "--sporades", "Library", in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let manifest = try String(contentsOfFile: folder.path("Shop/Package.swift"), encoding: .utf8)
    #expect(manifest.contains(".package(name: \"Sporades\", path: \"../Library\")"))
    let again = try CommandRun("new", "Shop", "--sporades", "Library", in: folder.url)
    #expect(again.status == 3)
    #expect(try CommandRun("new", "2Fast", "--sporades", "Library", in: folder.url).status == 2)
    #expect(try CommandRun("new", "Other", in: folder.url).status == 2)
    #expect(try CommandRun("new", "Other", "--sporades", "Nowhere", in: folder.url).status == 2)
    let remote = try CommandRun(
      "new", "Far", "--sporades", "https://host/Sporades.git", in: folder.url)
    #expect(remote.status == 0)
    let other = try String(contentsOfFile: folder.path("Far/Package.swift"), encoding: .utf8)
    #expect(other.contains("url: \"https://host/Sporades.git\", from: \"0.1.0\""))
  }
}
