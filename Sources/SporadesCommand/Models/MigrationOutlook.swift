// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQL
import SporadesSQLite

/// What becomes of a store of one model when a program with another one opens it.
struct MigrationOutlook {
  /// The reasons why no migration can be inferred.
  private let problems: [String]
  /// The contents of a store with which the migration stops. Nobody has looked whether a store has them.
  private let conditions: [String]
  /// The contents that have no place in the newer model.
  private let losses: [String]
  /// The work on a store; empty where there is no store.
  private let steps: [String]
  private let notes: [String]
  private let hasStore: Bool

  /// Foretells the migration of a store, or what two models tell of one.
  init(of old: GivenModel, to new: ManagedObjectModel) throws {
    if case .cached? = old.store?.origin {
      // Losses are listed as such, and are no reason against the migration.
      var options = SQLiteStoreOptions()
      options.migration.losses = .allowed
      self.init(
        try SQLiteStore.migrationForecast(
          forStoreAt: URL(fileURLWithPath: old.path), to: new, options: options))
    } else {
      self.init(from: old.model, to: new)
    }
  }

  private init(_ forecast: MigrationForecast) {
    hasStore = true
    problems = forecast.problems.map(\.description)
    conditions = []
    losses = forecast.losses.map { loss in
      let name = [loss.entity, loss.property].compactMap(\.self).joined(separator: ".")
      return loss.property == nil
        ? "\(loss.count) objects of \(name) are removed."
        : "\(loss.count) values of \(name) are removed."
    }
    steps = forecast.steps.map { step in
      let text = step.text.prefix(1).uppercased() + step.text.dropFirst()
      return step.rows == 0 ? "\(text)." : "\(text): \(step.rows) rows."
    }
    notes = forecast.notes
  }

  private init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    hasStore = false
    let evolution = ModelEvolution(from: old, to: new)
    problems = evolution.problems.map(\.description)
    let (source, target) = (CoreDataLayout(old), CoreDataLayout(new))
    let succession = RowSuccession(
      MigrationSide(source, source.layout), MigrationSide(target, target.layout), evolution)
    let checks = MigrationChecks(succession, LayoutChanges(succession)).all
    conditions = checks.map { "It stops if \($0.sentence.condition)" }
    let left = MappingLosses(
      of: [MappingModel.inferred(from: old, to: new)], from: old, to: new
    ).all
    losses =
      left.map { part in
        part.property.map { "The values of \(part.entity).\($0) are removed." }
          ?? "The objects of \(part.entity) are removed."
      } + Self.lostLinks(evolution)
    steps = []
    notes = []
  }

  /// The links that no relationship of the newer model takes over, each by the side whose rows hold it.
  private static func lostLinks(_ evolution: ModelEvolution) -> [String] {
    evolution.old.shapes.filter { !$0.isAbstract }.flatMap { shape -> [String] in
      guard let name = evolution.successor(ofEntity: shape.name),
        let successor = evolution.new.shape(named: name)
      else { return [] }
      let kept = Set(
        successor.relationships.compactMap {
          evolution.source(ofRelationship: $0.name, in: name)
        })
      let own = Set(shape.description.relationships.map(\.name))
      return shape.relationships.filter {
        own.contains($0.name) && $0.storage.holdsLinks && !kept.contains($0.name)
      }.map { "The links of \(shape.name).\($0.name) are removed." }
    }
  }

  /// The sentence above the details.
  var headline: String {
    let subject = hasStore ? "The store" : "A store of the older model"
    guard problems.isEmpty else { return "\(subject) cannot be migrated:" }
    return
      "\(subject) is migrated by itself, if its data allow it: all changes can be inferred."
  }

  /// The details, each in a sentence.
  var lines: [String] {
    let permission =
      losses.isEmpty
      ? []
      : [
        "A program allows these losses when it names both versions, or with migration.losses."
      ]
    return problems + conditions + losses + permission + steps + notes
  }

  var json: JSON {
    .object([
      ("inferred", .bool(problems.isEmpty)), ("problems", .texts(problems)),
      ("conditions", .texts(conditions)), ("losses", .texts(losses)), ("steps", .texts(steps)),
      ("notes", .texts(notes)),
    ])
  }
}

extension RelationshipShape.Storage {
  /// Whether the rows of this side hold the links, or this side comes first in the rows of a join.
  fileprivate var holdsLinks: Bool {
    switch self {
    case .reference, .join(_, isFirst: true): true
    case .inverseReference, .join, .memory: false
    }
  }
}
