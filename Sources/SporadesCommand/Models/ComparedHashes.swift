// SPDX-License-Identifier: MIT
import SporadesModel

/// Two models by their version hashes alone, where a store carries no model and its tables tell only a part of one.
struct ComparedHashes {
  private let old: GivenModel
  private let new: GivenModel
  /// The entities with their differences, in the order of their names.
  private let differences: [(entity: String, kind: String)]
  private let count: Int

  /// Nil if both models are known as a whole.
  init?(_ old: GivenModel, _ new: GivenModel) {
    guard [old, new].contains(where: \.isInferred) else { return nil }
    (self.old, self.new) = (old, new)
    let (before, after) = (old.versionHashes, new.versionHashes)
    let names = Set(before.keys).union(after.keys).inOrder()
    count = names.count
    differences = names.compactMap { name in
      switch (before[name], after[name]) {
      case (nil, _): (name, "added")
      case (_, nil): (name, "removed")
      case (let first, let second): first == second ? nil : (name, "changed")
      }
    }
  }

  var isEqual: Bool { differences.isEmpty }

  func print(to invocation: Invocation) throws {
    let output = invocation.output
    guard !invocation.isJSON else { return try output.print(json) }
    for given in [old, new] {
      guard case .inferred(let reason)? = given.store?.origin else { continue }
      output.say(
        TextTable.harmless(
          "\(given.path) is compared by its version hashes alone. \(reason)"))
    }
    for (entity, kind) in differences {
      let words =
        switch kind {
        case "added": "is a new entity."
        case "removed": "is gone."
        default: "has another version hash."
        }
      try output.printLine(TextTable.harmless("\(entity) \(words)"))
    }
    if isEqual {
      try output.printLine("The version hashes of all \(count) entities are equal.")
    }
  }

  private var json: JSON {
    let entities = differences.map { entity, kind in
      JSON.object([
        ("name", .text(entity)), ("kind", .text(kind)), ("oldName", .null),
        ("storesNotice", .bool(true)), ("traits", .list([])), ("properties", .list([])),
      ])
    }
    return .object([
      ("old", .text(old.path)), ("new", .text(new.path)), ("equal", .bool(isEqual)),
      ("comparison", .text("hashes")), ("storesNotice", .bool(!isEqual)),
      ("entities", .list(entities)), ("traits", .list([])), ("migration", .null),
    ])
  }
}

extension GivenModel {
  /// The model was made of a store's tables.
  fileprivate var isInferred: Bool {
    if case .inferred? = store?.origin { true } else { false }
  }

  /// The version hashes: a store's own where its model does not tell them.
  fileprivate var versionHashes: [String: [UInt8]] {
    isInferred ? store?.hashes ?? [:] : model.entityVersionHashesByName
  }
}
