// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// The second stage of opening: how the model that wrote a store stands to another one.
package enum StoreCompatibility: Hashable, Sendable {
  /// The store can be opened with the model.
  case same
  case different(Difference)
  /// The store's hashes are of a later version than the model can compute.
  case newer(version: Int64)
  /// The store does not say which model wrote it.
  case unknown

  /// The names of entities, each list in order.
  package struct Difference: Hashable, Sendable {
    /// The model has them and the store does not.
    package var added: [String]
    /// The store has them and the model, or its configuration, does not.
    package var removed: [String]
    /// Both have them in different versions.
    package var changed: [String]

    package init(added: [String] = [], removed: [String] = [], changed: [String] = []) {
      (self.added, self.removed, self.changed) = (added, removed, changed)
    }
  }

  /// The version of hashes that models compute here, and Core Data on all systems so far.
  private static let hashesVersion: Int64 = 3

  /// Compares the model, or one configuration of it, with the one that a store's metadata names.
  package init(
    of metadata: [String: MetadataValue], with model: ManagedObjectModel,
    configuration: String? = nil
  ) {
    guard case .dictionary(let entries)? = metadata[StoreMetadata.hashes] else {
      self = .unknown
      return
    }
    // An entry of another kind equals no hash.
    let hashes = entries.mapValues {
      if case .data(let bytes) = $0 { bytes } else { [] as [UInt8] }
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

  /// Why a store cannot be opened with the model; nil where it can.
  package func refusal(of model: ManagedObjectModel) -> StoreError? {
    switch self {
    case .same: return nil
    case .different(let difference):
      let names = (difference.added + difference.removed + difference.changed).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      return StoreError(
        .incompatibleModel(names),
        "The store was written with another model: \(difference). Open it with its own model, or name "
          + "another file.")
    case .newer(let version):
      return StoreError(
        .incompatibleModel(model.shapes.map(\.name)),
        "The store was written with hashes of version \(version), which this version of the library "
          + "can not compare. Use a newer one.")
    case .unknown:
      return StoreError(
        .incompatibleModel(model.shapes.map(\.name)),
        "The store does not say which model wrote it. If it was this one, open the store with "
          + "checksModel off.")
    }
  }
}

extension StoreCompatibility.Difference: CustomStringConvertible {
  package var description: String {
    let lists = [
      ("only the model has", added), ("only the store has", removed), ("both differ in", changed),
    ]
    return lists.filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
  }
}

extension ManagedObjectModel {
  /// Whether a store with the metadata can be opened with the model, or with one configuration of it, as
  /// it is. False for a configuration that the model does not have.
  public func isConfiguration(
    withName name: String?, compatibleWithStoreMetadata metadata: [String: MetadataValue]
  ) -> Bool {
    entities(inConfiguration: name) != nil
      && StoreCompatibility(of: metadata, with: self, configuration: name) == .same
  }
}
