// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

extension ManagedObjectModelReference {
  /// Refers to a model file. Of an `.xcdatamodeld` or `.momd` with several versions, the version with the checksum is
  /// taken.
  public convenience init(fileURL url: URL, versionChecksum: String) {
    self.init(versionChecksum: versionChecksum) { () throws(ModelError) in
      Found(try Self.versions(at: url), in: url.path)
    }
  }

  /// Refers to the version with the checksum of a model that is found by its name, as
  /// `ManagedObjectModel(named:in:)` finds it.
  public convenience init(
    name: String, in folders: [URL] = ModelFile.searchFolders, versionChecksum: String
  ) {
    self.init(versionChecksum: versionChecksum) { () throws(ModelError) in
      let url = try ManagedObjectModel.findFile(named: name, in: folders)
      return Found(try Self.versions(at: url), in: name)
    }
  }

  /// Refers to a version of any model in the folders by the version hashes of its entities.
  public convenience init(
    entityVersionHashes hashes: [String: [UInt8]], in folders: [URL] = ModelFile.searchFolders,
    versionChecksum: String
  ) {
    self.init(versionChecksum: versionChecksum) { () throws(ModelError) in
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
      return Found(models, in: "The model with the hashes")
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
}
