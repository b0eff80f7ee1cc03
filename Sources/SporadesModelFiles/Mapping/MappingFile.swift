// SPDX-License-Identifier: MIT
import SporadesModel

/// The content of Xcode's mapping file.
struct MappingFile {
  let mappings: MappingModel
  /// Xcode compiled the file for an application.
  var isCompiled = false
  /// The path of the older version within the project.
  let sourcePath: String?
  /// The path of the newer version within the project.
  let destinationPath: String?
  /// The older version as Xcode saw it.
  let source: MappedVersion?
  /// The newer version as Xcode saw it.
  let destination: MappedVersion?

  /// The differences between a model and the older version for which the file was made, in words; empty if it is that
  /// version.
  func differences(ofSource model: ManagedObjectModel) -> [String] {
    guard !isCompiled else {
      return hashes(model, \.sourceEntityName, \.sourceEntityVersionHash)
    }
    return source.map { $0.differences(from: model) } ?? ["is not in the file"]
  }

  /// The same for the newer version.
  func differences(ofDestination model: ManagedObjectModel) -> [String] {
    guard !isCompiled else {
      return hashes(model, \.destinationEntityName, \.destinationEntityVersionHash)
    }
    return destination.map { $0.differences(from: model) } ?? ["is not in the file"]
  }

  /// A compiled file has the hashes of the entities that it maps.
  private func hashes(
    _ model: ManagedObjectModel, _ name: (EntityMapping) -> String?,
    _ hash: (EntityMapping) -> [UInt8]?
  ) -> [String] {
    mappings.entityMappings.compactMap { mapping in
      guard let name = name(mapping), let hash = hash(mapping),
        model.entityVersionHashesByName[name] != hash
      else { return nil }
      return "has another \(name)"
    }
  }
}
