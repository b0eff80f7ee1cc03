// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGenerating
import SporadesModel
import SporadesModelFiles

/// One run of the verb `generate`.
struct GenerateRun {
  private let invocation: Invocation
  private let generation: Generation
  /// Sentences about the model's file.
  private let warnings: [String]
  private let machine: String
  private let human: String

  /// Reads the model, and makes the files in memory.
  init(_ invocation: Invocation) throws {
    guard let path = invocation.optionalWord("MODEL") else {
      throw invocation.mistake("MODEL is missing.")
    }
    guard !(invocation.has("list") && invocation.has("orphaned")) else {
      throw invocation.mistake("--list and --orphaned ask for different answers; give one of them.")
    }
    let output = invocation.value("output")
    let folders = (
      invocation.value("machine-dir") ?? output, invocation.value("human-dir") ?? output
    )
    // Without a folder, a list has the plain names.
    let isEnough =
      invocation.has("list") || folders.0 != nil && (folders.1 != nil || invocation.has("orphaned"))
    guard isEnough else { throw invocation.mistake("--output DIR is missing.") }
    (machine, human) = (folders.0 ?? "", folders.1 ?? "")
    self.invocation = invocation
    let url = URL(fileURLWithPath: path)
    guard try !GivenModel.isStore(path) else {
      throw CommandError.failed(
        "\(path) is no model file. For the model of a store: sporades convert \(path) --to Model.xcdatamodeld"
      )
    }
    let options = try Self.options(invocation, url)
    let reading = try ModelFile.read(url)
    warnings = reading.warnings.map(\.description)
    do {
      generation = try Generation(
        of: reading.model, named: url.deletingPathExtension().lastPathComponent, options)
    } catch let error as GenerationError where error.isMistake {
      throw invocation.mistake(error.description)
    }
  }

  private static func options(_ invocation: Invocation, _ model: URL) throws -> GenerationOptions {
    var options = GenerationOptions()
    if let word = invocation.value("form") {
      guard let form = GenerationOptions.Form(rawValue: word) else {
        let names = GenerationOptions.Form.allCases.map(\.rawValue)
        throw invocation.mistake(
          "There is no form \(word.shownAsWord).\(NearNames(word, among: names).hint)")
      }
      options.form = form
    }
    // Files of another configuration are no orphans.
    options.configuration = invocation.has("orphaned") ? nil : invocation.value("configuration")
    options.baseClass = invocation.value("base-class")
    options.hasTypedIDs = invocation.has("typed-ids")
    options.isPublic = invocation.has("public")
    guard !options.isPublic || options.form == .entity else {
      throw invocation.mistake("--public has no effect: the classes of --form managed are public.")
    }
    if options.form == .managed {
      options.scalarAttributes = try ModelFile.scalarAttributes(at: model)
    }
    let variables = try variables(invocation)
    if let folder = invocation.value("template-path") {
      options.templates = try TemplateSet(
        folder: URL(fileURLWithPath: folder), variables: variables)
    } else if let name = variables.keys.min() {
      throw invocation.mistake(
        "--template-var \(name) has no effect without --template-path.")
    }
    return options
  }

  private static func variables(_ invocation: Invocation) throws -> [String: String] {
    var variables: [String: String] = [:]
    for word in invocation.allValues("template-var") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw invocation.mistake(
          "--template-var needs NAME=VALUE, and \(word.shownAsWord) is not of that form.")
      }
      guard variables.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
        throw invocation.mistake("--template-var \(parts[0]) is given twice.")
      }
    }
    return variables
  }

  func run() throws -> ExitCode {
    if invocation.has("orphaned") { return try printOrphans() }
    if invocation.has("list") {
      try printFiles(generation.files.map { ($0, nil) })
      return .done
    }
    let folder = GenerationFolder(
      machine: URL(fileURLWithPath: machine), human: URL(fileURLWithPath: human))
    let written = try folder.write(generation.files, replacing: invocation.has("replace"))
    try printFiles(written.map { ($0.file, $0.outcome) })
    return .done
  }

  // MARK: - Answers

  private func path(of name: String, in folder: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private func path(of file: GeneratedFile) -> String {
    path(of: file.name, in: file.half == .machine ? machine : human)
  }

  private func printFiles(
    _ files: [(GeneratedFile, GenerationFolder.Outcome?)]
  ) throws {
    let remarks = warnings + generation.remarks
    if invocation.isJSON {
      let list = files.map { file, outcome in
        JSON.object(
          [("path", .text(path(of: file))), ("half", .text(file.half.rawValue))]
            + (outcome.map { [("outcome", JSON.text($0.rawValue))] } ?? []))
      }
      return try invocation.output.print(
        .object([
          ("model", .text(generation.model)), ("files", .list(list)), ("remarks", .texts(remarks)),
        ]))
    }
    for remark in remarks { invocation.output.say(TextTable.harmless(remark)) }
    for (file, outcome) in files where outcome != .unchanged && outcome != .kept {
      let word = outcome.map { "\($0.rawValue) " } ?? ""
      try invocation.output.printLine(word + TextTable.harmless(path(of: file)))
    }
    let outcomes = files.compactMap { $0.1 }
    if !outcomes.isEmpty { try invocation.output.printLine(Self.summary(outcomes)) }
  }

  private static func summary(_ outcomes: [GenerationFolder.Outcome]) -> String {
    let counts = [GenerationFolder.Outcome.made, .changed, .unchanged, .kept].compactMap {
      outcome in
      let count = outcomes.count { $0 == outcome }
      return count == 0 ? nil : "\(count) \(outcome.rawValue)"
    }
    return counts.joined(separator: ", ")
  }

  private func printOrphans() throws -> ExitCode {
    let folder = GenerationFolder(
      machine: URL(fileURLWithPath: machine), human: URL(fileURLWithPath: machine))
    let names = try folder.orphans(besides: generation)
    let paths = names.map { path(of: $0, in: machine) }
    if invocation.isJSON {
      try invocation.output.print(.object([("orphaned", .texts(paths))]))
    } else {
      for path in paths { try invocation.output.printLine(TextTable.harmless(path)) }
    }
    return paths.isEmpty ? .done : .foundSomething
  }
}
