// SPDX-License-Identifier: MIT
import SporadesModel

/// The content of Xcode's mapping file.
struct MappingFile {
  let mappings: MappingModel
  /// The path of the older version within the project.
  let sourcePath: String?
  /// The path of the newer version within the project.
  let destinationPath: String?
  /// The older version as Xcode saw it.
  let source: MappedVersion?
  /// The newer version as Xcode saw it.
  let destination: MappedVersion?

  /// Whether the file was made for two versions.
  func fits(from old: ManagedObjectModel, to new: ManagedObjectModel) -> Bool {
    guard let source, let destination else { return false }
    return source.fits(old) && destination.fits(new)
  }
}
