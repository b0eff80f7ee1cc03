// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
package import SporadesStore

/// The second stage of opening: the comparison of the model that wrote a store with another model.
package enum StoreCompatibility: Hashable, Sendable {
  /// The store can be opened with the model.
  case same
  case different(Difference)
  /// The store's hashes have a later version than this library can compute.
  case newer(version: Int64)
  /// The store does not name the model that wrote it.
  case unknown

  /// Names of entities, each list sorted.
  package struct Difference: Hashable, Sendable {
    /// Entities that only the model has.
    package var added: [String]
    /// Entities that only the store has, and the model or its configuration lacks.
    package var removed: [String]
    /// Entities that both have in different versions.
    package var changed: [String]

    /// All names, sorted.
    var names: [String] {
      (added + removed + changed).inByteOrder()
    }

    package init(added: [String] = [], removed: [String] = [], changed: [String] = []) {
      (self.added, self.removed, self.changed) = (added, removed, changed)
    }
  }

  /// The version of hashes that this library computes, and so far every version of Core Data.
  private static let hashesVersion: Int64 = 3

  /// Compares the model, or one of its configurations, with the model in a store's metadata.
  package init(
    of metadata: [String: MetadataValue], with model: ManagedObjectModel,
    configuration: String? = nil
  ) {
    guard let hashes = metadata.versionHashes else {
      self = .unknown
      return
    }
    let names = model.entitiesDiffering(from: hashes, inConfiguration: configuration)
    guard !names.isEmpty else {
      self = .same
      return
    }
    if case .integer(let version)? = metadata[StoreMetadata.hashesVersion],
      version > Self.hashesVersion
    {
      self = .newer(version: version)
      return
    }
    let own = Set((model.entities(inConfiguration: configuration) ?? []).map(\.name))
    var difference = Difference()
    for name in names {
      if hashes[name] == nil {
        difference.added.append(name)
      } else if own.contains(name) {
        difference.changed.append(name)
      } else {
        difference.removed.append(name)
      }
    }
    self = .different(difference)
  }

  /// The reason that a store cannot be opened with the model; nil if it can. With the model that the store
  /// carries, the reason says what differs.
  package func refusal(
    of model: ManagedObjectModel, carried: ManagedObjectModel? = nil
  ) -> StoreError? {
    switch self {
    case .same: return nil
    case .different(let difference):
      return StoreError(
        .incompatibleModel(difference.names),
        "The store was written with another model: \(difference)."
          + (carried.map { difference.details(of: model.differences(from: $0)) } ?? "")
          + " Open it for writing with migration.isAutomatic, and with migration.infersMapping or with a migrationPlan whose stages "
          + "or mapping models lead to this model. Else open it with its own model, or name another file."
      )
    case .newer(let version):
      return StoreError(
        .incompatibleModel(model.shapes.map(\.name)),
        "The store was written with hashes of version \(version), which this version of the library "
          + "cannot compare. Use a newer version.")
    case .unknown:
      return StoreError(
        .incompatibleModel(model.shapes.map(\.name)),
        "The store does not say which model wrote it. If it was this one, open the store with "
          + "checksModel set to false.")
    }
  }
}

extension StoreCompatibility.Difference: CustomStringConvertible {
  package var description: String { description(store: "the store", model: "the model") }

  func description(store: String, model: String) -> String {
    let lists = [
      ("only \(model) has", added), ("only \(store) has", removed), ("both differ in", changed),
    ]
    return lists.filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
  }
}

extension StoreCompatibility.Difference {
  /// The number of differences that an error lists.
  private static let listed = 5

  /// The first differences that keep the store from opening, each in a sentence.
  fileprivate func details(of differences: ModelDifferences) -> String {
    let text = Self.listed(sentences(of: differences))
    return text.isEmpty ? "" : " \(text)"
  }

  /// The differences that keep the store from opening.
  func sentences(of differences: ModelDifferences) -> [String] {
    let names = Set(changed)
    return differences.entities.filter { $0.changesVersionHash && names.contains($0.name) }
      .flatMap(\.decisiveSentences)
  }

  /// The first of several sentences, and the number of the others.
  static func listed(_ sentences: [String]) -> String {
    let more = sentences.count - listed
    return sentences.prefix(listed).joined(separator: " ")
      + (more > 0 ? " There are \(more) more differences." : "")
  }
}

extension ManagedObjectModel {
  /// Whether a store with this metadata can be opened unchanged with the model or one of its configurations.
  /// False for an unknown configuration.
  public func isConfiguration(
    withName name: String?, compatibleWithStoreMetadata metadata: [String: MetadataValue]
  ) -> Bool {
    entities(inConfiguration: name) != nil
      && StoreCompatibility(of: metadata, with: self, configuration: name) == .same
  }
}

extension ManagedObjectModel {
  /// Whether a store with this metadata remembers the version as one that it has behind it.
  package func isEarlier(
    thanStoreWith metadata: [String: MetadataValue], inConfiguration name: String?
  ) -> Bool {
    versionChecksum(inConfiguration: name).map(StoreLineage.checksums(metadata).contains) ?? false
  }
}
