// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQLite

extension Verb {
  static let new = Verb(
    name: "new", group: .generate, summary: "Make a package that uses Sporades",
    operands: [Operand(name: "NAME", text: "The name of the package and of its folder.")],
    options: [
      VerbOption(
        name: "sporades", value: "PATH|URL",
        text: "Where the library is: the folder of a clone, or the address of a repository."),
      VerbOption(
        name: "version", value: "VERSION",
        text: "The oldest version of the library at an address. Else 0.1.0."),
    ],
    details: [
      "The package has a service with an entity, a program that uses it, a test in memory and a Dockerfile. It builds, runs "
        + "and passes its test as it is. A folder that is there already is not touched."
    ],
    examples: ["sporades new Shop --sporades ../Sporades && cd Shop && swift run"]
  ) { invocation in
    let name = invocation.word("NAME")
    guard !name.hasPrefix("Sporades"), !["Testing", "Foundation", "Swift", "XCTest"].contains(name)
    else {
      throw invocation.mistake(
        "\(name) is the name of a module that the package uses; choose another one.")
    }
    guard name.first?.isLetter == true, SwiftText.canDeclare(type: name), !name.contains("/") else {
      throw invocation.mistake(
        "\(name.shownAsWord) cannot name a package and a module; use letters and digits, and begin with a letter."
      )
    }
    guard SystemFile.kind(name) == .none else {
      throw CommandError.failed(
        "There is something at \(name) already. Choose another name, or remove it.")
    }
    let library = try LibraryPlace(invocation, forPackage: name)
    let files = PackageFiles(name: name, library: library).all
    let folder = URL(fileURLWithPath: name)
    do {
      for (path, text) in files {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
    } catch {
      throw CommandError.failed("The package cannot be written to \(name): \(OwnWords.of(error)).")
    }
    if invocation.isJSON {
      try invocation.output.print(
        .object([("folder", .text(name)), ("files", .texts(files.map(\.path)))]))
    } else {
      for (path, _) in files { try invocation.output.printLine("\(name)/\(path)") }
      try invocation.output.printLine("\nNext: cd \(name) && swift run && swift test")
    }
    return .done
  }
}

/// Where a package finds the library.
struct LibraryPlace {
  /// The dependency as the manifest writes it.
  let dependency: String
  /// Whether the library is a folder of this machine, and no repository.
  let isFolder: Bool
  /// Whether the folder lies beside the package's, so that a Dockerfile can copy both.
  let isBeside: Bool

  init(_ invocation: Invocation, forPackage name: String) throws {
    let place = try invocation.value("sporades") ?? Self.ask(invocation)
    if place.contains("://") || place.hasPrefix("git@") {
      let version = invocation.value("version") ?? "0.1.0"
      dependency = ".package(url: \(SwiftText.literal(place)), from: \(SwiftText.literal(version)))"
      (isFolder, isBeside) = (false, false)
      return
    }
    let folder = URL(fileURLWithPath: place)
    guard SystemFile.kind(folder.appendingPathComponent("Package.swift").path) == .file else {
      throw CommandError.asked(
        "There is no package at \(place). Name the folder of a clone of Sporades, or its address.")
    }
    let whole = URL(fileURLWithPath: SystemFile.absolute(place)).standardized
    let own = URL(fileURLWithPath: SystemFile.absolute(name)).standardized
    isBeside = whole.deletingLastPathComponent() == own.deletingLastPathComponent()
    // A relative path is that from the new package.
    let path =
      isBeside ? "../" + whole.lastPathComponent : place.hasPrefix("/") ? place : "../" + place
    dependency = ".package(name: \"Sporades\", path: \(SwiftText.literal(path)))"
    isFolder = true
  }

  /// Asks the person at the terminal.
  private static func ask(_ invocation: Invocation) throws -> String {
    guard invocation.output.terminal.showsMessages else {
      throw invocation.mistake(
        "--sporades is missing: the folder of a clone of Sporades, or its address.")
    }
    invocation.output.say(
      "Where is Sporades? Name the folder of a clone, or the address of a repository:")
    guard let answer = readLine(), !answer.trimmed.isEmpty else {
      throw invocation.mistake("--sporades is missing.")
    }
    return answer.trimmed
  }
}
