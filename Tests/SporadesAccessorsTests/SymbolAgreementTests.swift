// SPDX-License-Identifier: MIT
import SporadesAccessors
import Testing

/// The symbols that the library writes are those that the compiler leaves undefined.
@Suite(.serialized) struct SymbolAgreementTests {
  @Test(arguments: [
    ("App", UInt64(1), ["-Onone"]), ("MyAppNoteModels", 2, ["-O"]),
    ("App_Tag", 3, ["-Onone", "-enable-testing", "-swift-version", "6"]),
    ("Note", 4, ["-Onone", "-enable-library-evolution"]),
  ])
  func agree(module: String, seed: UInt64, flags: [String]) throws {
    var random = RandomDeclarations(seed: seed)
    let files = random.files()
    let compiler = try Compiler()
    for file in files { try compiler.write(file.name, file.text) }
    let sources = files.map { SwiftSource(name: $0.name, text: $0.text) }
    let made = AccessorFile.make(module: module, sources: sources)
    #expect(made.findings == [])
    let ours = Set(AccessorFile.symbols(module: module, sources: sources).keys)
    let compiled = try compiler.run(
      "swiftc",
      ["-c", "-parse-as-library", "-package-name", "p", "-module-name", module, "-I", ".", "-j2"]
        + flags + files.map(\.name))
    #expect(
      compiled.status == 0,
      "\(compiled.complaints.filter { $0.contains("error") }.prefix(5).joined(separator: "\n"))")
    let theirs = try compiler.undefined(in: module)
    #expect(theirs.count > 1500)
    #expect(Array(theirs.subtracting(ours).sorted().prefix(5)) == [])
    #expect(Array(ours.subtracting(theirs).sorted().prefix(5)) == [])
  }

  @Test(arguments: [
    ("App", UInt64(5), ["-Onone", "-enable-testing"]), ("Models", 6, ["-O", "-wmo"]),
  ])
  func link(module: String, seed: UInt64, flags: [String]) throws {
    var random = RandomDeclarations(seed: seed)
    let files = random.files(2)
    let compiler = try Compiler()
    for file in files { try compiler.write(file.name, file.text) }
    let sources = files.map { SwiftSource(name: $0.name, text: $0.text) }
    let text = try AccessorFile.make(module: module, sources: sources).required()
    try compiler.write("Accessors.swift", text)
    let linked = try compiler.run(
      "swiftc",
      [
        "-emit-library", "-emit-module", "-Xfrontend", "-sil-verify-all", "-parse-as-library",
        "-package-name", "p", "-module-name", module, "-I", ".", "-L", ".", "-lCoreData", "-j2",
        "-Xlinker", "-z", "-Xlinker", "defs", "-o", "lib\(module).so", "Accessors.swift",
      ] + flags + files.map(\.name))
    #expect(linked.status == 0)
    // The random declarations have warnings of their own.
    let complaints = linked.complaints.filter {
      $0.contains("error") || $0.contains("Accessors.swift")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = complaints.map { complaint in
      let line = complaint.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 0
      return complaint + "\n" + lines.dropFirst(max(0, line - 2)).prefix(3).joined(separator: "\n")
    }
    #expect(shown.prefix(5) == [])
  }
}
