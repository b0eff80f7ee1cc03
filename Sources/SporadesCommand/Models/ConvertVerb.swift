// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQLite

extension Verb {
  static let convert = Verb(
    name: "convert", group: .models, summary: "Write a model in another form",
    operands: [.model],
    options: [
      VerbOption(
        name: "to", value: "FILE",
        text:
          "The new file. Its ending names the form: .xcdatamodeld, .xcdatamodel, .momd, .mom or .swift."
      ),
      .replace,
      VerbOption(
        name: "name", value: "NAME",
        text: "The name of the types in Swift source. Else it is that of the new file."),
      VerbOption(
        name: "code",
        text:
          "Write the model in code behind the classes in Swift source, also where no version hash needs it."
      ),
    ],
    details: [
      "A folder of versions becomes a folder of all its versions, or else a file with the current one. Name one of the "
        + "versions to convert that one.",
      "The parts that the new form cannot hold are listed beside the answer. None of them changes a version hash.",
      "Swift source has classes for all entities. Where the classes alone would have other version hashes, the model in "
        + "code follows them.",
    ],
    examples: [
      "sporades convert App.xcdatamodeld --to App.momd",
      "sporades convert app.sqlite --to App.xcdatamodel",
      "sporades convert App.momd --to App.swift",
    ]
  ) { invocation in
    guard let target = invocation.value("to") else { throw invocation.mistake("--to is missing.") }
    let conversion = try Conversion(invocation, to: target)
    let omissions = try conversion.run()
    if invocation.isJSON {
      try invocation.output.print(
        JSON.object([
          ("file", .text(target)), ("versions", .count(conversion.versionCount)),
          ("omissions", .list(omissions.map(\.json))),
        ]))
    } else {
      for omission in omissions {
        invocation.output.say("Left out: \(TextTable.harmless(omission.sentence))")
      }
    }
    return .done
  }
}

/// The work of `convert`.
private struct Conversion {
  private let source: String
  private let target: URL
  private let replaces: Bool
  private let name: String?
  private let output: Output
  private let addsCode: Bool
  /// All versions with the name of the current one; nil if one version is written.
  private let versions: (all: [ModelFile.Version], current: String)?

  init(_ invocation: Invocation, to path: String) throws {
    source = invocation.word(Operand.model.name)
    target = URL(fileURLWithPath: path)
    replaces = invocation.has(VerbOption.replace.name)
    name = invocation.value("name")
    output = invocation.output
    addsCode = invocation.has("code")
    let ending = target.pathExtension
    let known = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "swift"]
    guard known.contains(ending) else {
      let near = NearNames(ending, among: known).nearest.map { " Did you mean .\($0)?" } ?? ""
      throw invocation.mistake(
        "\(path.shownAsWord) does not say in which form to write the model.\(near) End it with .xcdatamodeld, "
          + ".xcdatamodel, .momd, .mom or .swift.")
    }
    for option in ["name", "code"] where ending != "swift" && invocation.has(option) {
      throw invocation.mistake("--\(option) belongs to Swift source, and \(path) is none.")
    }
    try OutputFile.check(path, replaces: replaces, reading: invocation.word(Operand.model.name))
    guard ["xcdatamodeld", "momd"].contains(ending), let all = try GivenModel.versions(at: source)
    else {
      versions = nil
      return
    }
    guard let current = all.first(where: \.isCurrent) else {
      throw CommandError.failed(
        "\(source) has \(all.count) versions and no list that names the current one. Name one of them, such as "
          + "\(all[0].url.lastPathComponent) in the folder.")
    }
    versions = (all, current.name)
  }

  var versionCount: Int { versions?.all.count ?? 1 }

  /// Writes the file, and returns the parts that it does not hold.
  func run() throws -> [ModelWarning] {
    if let versions {
      let models = try versions.all.map { (name: $0.name, model: try $0.model()) }
      return try ModelFile.write(
        models, current: versions.current, to: target, replacing: replaces)
    }
    let given = try GivenModel(source)
    if case .inferred(let reason)? = given.store?.origin {
      output.say(
        "The model was inferred from the tables of \(source), and its version hashes are not those of the store. \(reason)"
      )
    }
    let model = given.model
    guard target.pathExtension == "swift" else {
      return try model.write(to: target, replacing: replaces)
    }
    return try writeSource(of: model)
  }

  private func writeSource(of model: ManagedObjectModel) throws -> [ModelWarning] {
    // The name of a file may have blanks, which no type has.
    let letters = target.deletingPathExtension().lastPathComponent.filter {
      $0.isLetter || $0.isNumber || $0 == "_"
    }
    let name = self.name ?? letters
    let source = try model.swiftSource(named: name)
    let hasCode = addsCode || source.needsModel
    try OutputFile.write(
      source.classes + (hasCode ? "\n" + source.model : ""), to: target.path, replaces: replaces)
    // The model in code says all that the classes leave out.
    return hasCode ? [] : source.omissions
  }
}
