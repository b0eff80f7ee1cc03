// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// A version of a model by its checksum, and the place where the model is found when it is needed.
///
/// A migration in stages names many versions and needs few of them. A reference reads its model at the first use, and
/// keeps it. A model with another checksum is refused.
public final class ManagedObjectModelReference: Sendable {
  /// The checksum that the model must have. Xcode prints it when it compiles the model, `ModelFile.checksums(at:)` reads
  /// it from the compiled model, and a store keeps it under `NSStoreModelVersionChecksumKey`.
  public let versionChecksum: String
  private let place: Place
  private let known = Guarded<ManagedObjectModel?>(nil)

  private enum Place: Sendable {
    case model(ManagedObjectModel)
    case file(URL)
    case name(String, folders: [URL])
    case hashes([String: [UInt8]], folders: [URL])
  }

  private init(_ place: Place, _ checksum: String) {
    self.place = place
    versionChecksum = checksum
  }

  /// Refers to a model in memory.
  public convenience init(model: ManagedObjectModel, versionChecksum: String) {
    self.init(.model(model), versionChecksum)
  }

  /// Refers to a model file. Of an `.xcdatamodeld` or `.momd` with several versions, the version with the checksum is
  /// taken.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(.file(fileURL), versionChecksum)
  }

  /// Refers to the version with the checksum of a model that is found by its name, as
  /// `ManagedObjectModel(named:in:)` finds it.
  public convenience init(
    name: String, in folders: [URL] = ModelFile.searchFolders, versionChecksum: String
  ) {
    self.init(.name(name, folders: folders), versionChecksum)
  }

  /// Refers to a version of any model in the folders by the version hashes of its entities.
  public convenience init(
    entityVersionHashes: [String: [UInt8]], in folders: [URL] = ModelFile.searchFolders,
    versionChecksum: String
  ) {
    self.init(.hashes(entityVersionHashes, folders: folders), versionChecksum)
  }

  /// The model. The first use reads it, and throws if it is not found or has another checksum.
  public var resolvedModel: ManagedObjectModel {
    get throws(ModelError) {
      if let model = known.withLock({ $0 }) { return model }
      let model = try resolve()
      known.withLock { $0 = model }
      return model
    }
  }

  private func resolve() throws(ModelError) -> ManagedObjectModel {
    switch place {
    case .model(let model): return try checked([model], "The model")
    case .file(let url): return try checked(Self.versions(at: url), url.path)
    case .name(let name, let folders):
      return try checked(
        Self.versions(at: ManagedObjectModel.findFile(named: name, in: folders)), name)
    case .hashes(let hashes, let folders):
      let models = try ManagedObjectModel.models(in: folders).filter {
        $0.isCompatible(withVersionHashes: hashes)
      }
      guard !models.isEmpty else {
        throw ModelError([
          .init(
            .unreadableFile,
            "No model in \(folders.map(\.path).joined(separator: ", ")) has the version hashes of the reference; "
              + "add it there or name its folder.")
        ])
      }
      return try checked(models, "The model with the hashes")
    }
  }

  private static func versions(at url: URL) throws(ModelError) -> [ManagedObjectModel] {
    guard ["xcdatamodeld", "momd"].contains(url.pathExtension) else {
      return [try ManagedObjectModel(contentsOf: url)]
    }
    var models: [ManagedObjectModel] = []
    for version in try ModelFile.versions(at: url) { models.append(try version.model()) }
    return models
  }

  /// The model with the checksum.
  private func checked(
    _ models: [ManagedObjectModel], _ source: String
  ) throws(ModelError) -> ManagedObjectModel {
    let checksums = models.map(\.versionChecksum)
    if let index = checksums.firstIndex(of: versionChecksum) { return models[index] }
    throw ModelError([
      .init(
        .wrongChecksum,
        "\(source) has the checksum \(checksums.joined(separator: ", ")), and the reference asks for "
          + "\(versionChecksum). Restore that version of the model, or correct the reference.")
    ])
  }
}
