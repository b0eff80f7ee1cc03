// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import SporadesXcode

extension Verb {
  static let migrate = Verb(
    name: "migrate", group: .care, summary: "Change a store to another version of its model",
    operands: [.store],
    options: [
      VerbOption(
        name: "models", value: "PATH",
        text:
          "The model file with the versions (.xcdatamodeld or .momd), or a folder that holds it and mapping models."
      ),
      VerbOption(
        name: "to", value: "VERSION", text: "The name of the version. Else the current one."),
      VerbOption(name: "dry-run", text: "Tell what would be done, and change nothing."),
      VerbOption(
        name: "keep-copy", text: "Keep the store as it was beside it: app-before-1.sqlite."),
      VerbOption(
        name: "allow-losses",
        text: "Remove content for which the new version has no place. Without it, that is refused."),
    ],
    details: [
      "Goes from version to version, by the mapping models in the folder where there are any, else by what the differences "
        + "of the versions say. The change happens as a whole or not at all. Code of a program, such as a migration policy, "
        + "does not run here: what needs it is refused by name.",
      "With --dry-run it ends with 1 if the store cannot be migrated so.",
    ],
    examples: [
      "sporades migrate app.sqlite --models Shop.xcdatamodeld --dry-run",
      "sporades migrate app.sqlite --models Shop.xcdatamodeld --to 'Shop 3' --keep-copy",
    ]
  ) { invocation in try StoreMigrating(invocation).run() }
}

/// A migration as its options say.
private struct StoreMigrating {
  private let invocation: Invocation
  private let store: URL
  private let file: URL
  private let version: ModelFile.Version
  private let model: ManagedObjectModel
  private var options = SQLiteStoreOptions()

  init(_ invocation: Invocation) throws {
    guard let models = invocation.value("models") else {
      throw invocation.mistake("--models is missing: the file with the versions of the model.")
    }
    self.invocation = invocation
    store = URL(fileURLWithPath: invocation.word(Operand.store.name))
    file = try Self.modelFile(URL(fileURLWithPath: models))
    let versions = try ModelFile.versions(at: file)
    version = try Self.version(invocation.value("to"), of: versions, in: file)
    model = try version.model()
    let folder =
      file.path == models ? file.deletingLastPathComponent() : URL(fileURLWithPath: models)
    options.migrationPlan = ModelFileMigration(contentsOf: file, mappingModelsIn: [folder])
    options.migration.keepsCopy = invocation.has("keep-copy")
    options.migration.losses = invocation.has("allow-losses") ? .allowed : .refused
    options.createsFile = false
  }

  /// The model file at a path, or the only one in the folder there.
  private static func modelFile(_ url: URL) throws -> URL {
    guard !["xcdatamodeld", "momd", "xcdatamodel", "mom"].contains(url.pathExtension) else {
      return url
    }
    guard SystemFile.kind(url.path) == .folder else {
      throw CommandError.failed("There is no model file, and no folder with one, at \(url.path).")
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
      throw CommandError.failed("The folder \(url.path) cannot be listed: \(OwnWords.of(error)).")
    }
    let files = names.filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }.sorted()
    guard files.count == 1, let name = files.first else {
      let what = files.isEmpty ? "holds no model file" : "holds \(files.joined(separator: " and "))"
      throw CommandError.asked(
        "\(url.path) \(what). Name the .xcdatamodeld or .momd with --models.")
    }
    return url.appendingPathComponent(name)
  }

  private static func version(
    _ name: String?, of versions: [ModelFile.Version], in file: URL
  ) throws -> ModelFile.Version {
    let found = versions.first { name == nil ? $0.isCurrent : $0.name == name }
    if let found { return found }
    guard let name else {
      throw CommandError.failed("\(file.path) has no current version. Name one with --to.")
    }
    throw CommandError.asked(
      "\(file.path) has no version \(name).\(NearNames(name, among: versions.map(\.name)).hint)")
  }

  func run() throws -> ExitCode {
    let forecast = try SQLiteStore.migrationForecast(forStoreAt: store, to: model, options: options)
    if invocation.has("dry-run") {
      try print(forecast, isDone: false)
      return forecast.problems.isEmpty ? .done : .foundSomething
    }
    let losses = forecast.losses + forecast.lossesLeftToCode
    guard losses.isEmpty || invocation.has("allow-losses") else {
      try checkWithLosses()
      throw CommandError.failed(
        "The version \(version.name) has no place for some content:\n\(forecast)\nNothing was changed. Add --allow-losses, "
          + "perhaps with --keep-copy.")
    }
    let line = ProgressLine("migrating", invocation.output.terminal)
    var options = options
    let progress = MigrationProgress()
    progress.observe { line.show(Int($0 * 1_000), of: 1_000) }
    options.migration.progress = progress
    defer { line.end() }
    try SQLiteStore.migrate(storeAt: store, to: model, options: options)
    line.end()
    try print(forecast, isDone: true)
    if let copy = progress.formerStorePath {
      invocation.output.say("The store as it was is at \(copy).")
    }
    return .done
  }

  /// Throws if the store cannot be migrated also where content may be lost.
  private func checkWithLosses() throws {
    var options = options
    options.migration.losses = .allowed
    let forecast = try SQLiteStore.migrationForecast(forStoreAt: store, to: model, options: options)
    guard !forecast.problems.isEmpty else { return }
    throw CommandError.failed(
      "The store cannot be migrated to the version \(version.name):\n\(forecast)\nNothing was changed."
    )
  }

  private func print(_ forecast: MigrationForecast, isDone: Bool) throws {
    guard invocation.isJSON else {
      try invocation.output.printLine(TextTable.harmlessLines(OwnWords.of("\(forecast)")))
      if isDone { try invocation.output.printLine("The store has the version \(version.name).") }
      return
    }
    try invocation.output.print(
      .object([
        ("version", .text(version.name)), ("done", .bool(isDone)),
        (
          "steps",
          .list(
            forecast.steps.map { .object([("text", .text($0.text)), ("rows", .count($0.rows))]) })
        ),
        ("bytes", .count(forecast.bytes)),
        (
          "losses",
          .list(
            forecast.losses.map {
              .object([
                ("entity", .text($0.entity)), ("property", .optional($0.property)),
                ("count", .count($0.count)),
              ])
            })
        ),
        ("problems", .texts(forecast.problems.map { OwnWords.of($0.description) })),
        ("notes", .texts(forecast.notes)),
      ]))
  }
}
