// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesXcode

extension Verb {
  static let diff = Verb(
    name: "diff", group: .models, summary: "Compare two models",
    operands: [
      Operand(name: "OLD", text: "The older model, or a store with its own."),
      Operand(
        name: "NEW",
        text:
          "The newer model. Without one, the current version in the folder OLD is compared with the one before it.",
        count: .optional),
    ],
    details: [
      "Parts with one name, and parts that a renaming identifier joins, are compared. Each difference says whether stores "
        + "notice it. Below stands the migration that stores of the older model need, or the reason why there is none.",
      "If OLD is a store that carries its model, the migration is foretold from its rows. The store stays as it is.",
      "A store that carries no model tells the version hash of each entity, and no more is compared.",
      "The verb ends with 1 if the models differ. Beside a store, only what stores notice counts, because a store does not "
        + "carry everything of its model.",
    ],
    examples: [
      "sporades diff App.xcdatamodeld", "sporades diff app.sqlite App.xcdatamodeld",
      "sporades diff 'App.xcdatamodeld/App 2.xcdatamodel' App.momd --json",
    ]
  ) { invocation in
    let (old, new) = try ComparedModels.given(invocation)
    if let hashes = ComparedHashes(old, new) {
      try hashes.print(to: invocation)
      return hashes.isEqual ? .done : .foundSomething
    }
    let comparison = try ComparedModels(old, new)
    if invocation.isJSON {
      try invocation.output.print(comparison.json)
    } else {
      try comparison.print(to: invocation.output)
    }
    return comparison.isEqual ? .done : .foundSomething
  }
}

/// Two models, and what lies between them.
struct ComparedModels {
  private let old: GivenModel
  private let new: GivenModel
  let differences: ModelDifferences
  private let outlook: MigrationOutlook?

  /// The models that the command line names.
  fileprivate static func given(_ invocation: Invocation) throws -> (GivenModel, GivenModel) {
    let path = invocation.word("OLD")
    if let other = invocation.optionalWord("NEW") {
      return (try GivenModel(path), try GivenModel(other))
    }
    guard let versions = try GivenModel.versions(at: path) else {
      throw invocation.mistake(
        "NEW is missing. Only a folder of versions (.xcdatamodeld or .momd) is compared with itself."
      )
    }
    guard let current = versions.firstIndex(where: \.isCurrent) else {
      throw CommandError.failed(
        "\(path) has no list that names the current version. Name two versions to compare.")
    }
    guard versions.count > 1 else {
      throw CommandError.failed(
        "\(path) has one version, \(versions[0].name). Name another model to compare it with.")
    }
    guard current > 0, ModelFileOrder(versions).isTold else {
      let names = versions.map(\.name).joined(separator: ", ")
      throw CommandError.failed(
        "The names of the versions in \(path) do not tell which one comes before \(versions[current].name): \(names). "
          + "Name two versions to compare.")
    }
    return (
      try GivenModel(versions[current - 1].url.path), try GivenModel(versions[current].url.path)
    )
  }

  /// Whether nothing differs; beside a store, nothing that stores notice.
  fileprivate var isEqual: Bool {
    old.store == nil && new.store == nil
      ? differences.isEmpty : !differences.changesVersionHashes
  }

  fileprivate init(_ old: GivenModel, _ new: GivenModel) throws {
    (self.old, self.new) = (old, new)
    differences = new.model.differences(from: old.model)
    outlook =
      differences.changesVersionHashes ? try MigrationOutlook(of: old, to: new.model) : nil
  }

  // MARK: - In JSON

  fileprivate var json: JSON {
    .object([
      ("old", .text(old.path)), ("new", .text(new.path)), ("equal", .bool(differences.isEmpty)),
      ("comparison", .text("models")),
      ("storesNotice", .bool(differences.changesVersionHashes)),
      ("entities", .list(differences.entities.map(\.json))),
      ("traits", .list(differences.traits.map(\.json))),
      ("migration", outlook?.json ?? .null),
    ])
  }

  // MARK: - For people

  fileprivate func print(to output: Output) throws {
    let terminal = output.terminal
    guard !differences.isEmpty else {
      try output.printLine("The models are equal.")
      return
    }
    for sentence in differences.sentences { try output.printLine(TextTable.harmless(sentence)) }
    try output.printLine("")
    guard let outlook else {
      try output.printLine(
        terminal.bold("Stores of one model open with the other as they are."))
      return
    }
    try output.printLine(terminal.bold(outlook.headline))
    for line in outlook.lines { try output.printLine("  " + TextTable.harmless(line)) }
  }
}

extension DifferenceKind {
  /// The kind in JSON.
  fileprivate var word: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .renamed: "renamed"
    case .changed: "changed"
    }
  }
}

extension EntityDifference {
  fileprivate var json: JSON {
    .object([
      ("name", .text(name)), ("kind", .text(kind.word)), ("oldName", .optional(old?.name)),
      ("storesNotice", .bool(changesVersionHash)), ("traits", .list(traits.map(\.json))),
      ("properties", .list(properties.map(\.json))),
    ])
  }
}

extension PropertyDifference {
  fileprivate var json: JSON {
    .object([
      ("name", .text(name)), ("kind", .text(kind.word)), ("oldName", .optional(old?.name)),
      ("storesNotice", .bool(changesVersionHash)), ("traits", .list(traits.map(\.json))),
    ])
  }
}

extension TraitDifference {
  fileprivate var json: JSON {
    .object([
      ("trait", .text(trait)), ("old", .text(old)), ("new", .text(new)),
      ("storesNotice", .bool(changesVersionHash)),
    ])
  }
}
