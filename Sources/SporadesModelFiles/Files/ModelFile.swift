// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesArchives
public import SporadesModel

/// Reads model files, and lists the versions in an `.xcdatamodeld` or `.momd` folder.
public enum ModelFile {
  /// Reads a model like `ManagedObjectModel(contentsOf:)`, and also returns the warnings.
  public static func read(_ url: URL) throws(ModelError) -> ModelReading {
    let file = try ManagedObjectModel.findContentsFile(at: url)
    let bytes = try FileReading.readBytes(of: file)
    if BinaryPropertyList.begins(bytes) {
      return try ModelUnarchiver.read(bytes, source: file.path)
    }
    let root = try XMLReader.read(bytes, file: file.path)
    return try ModelReader.read(root, file: file.path)
  }

  /// One version of a model: an `.xcdatamodel` folder or a `.mom` file.
  public struct Version: Hashable, Sendable {
    /// The name of the folder or file without its extension.
    public let name: String
    /// The folder or file.
    public let url: URL
    /// The folder's property list names this version, or there is no other version.
    public let isCurrent: Bool

    /// Reads the model of this version.
    public func model() throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(contentsOf: url)
    }
  }

  /// Lists the versions of an `.xcdatamodeld` or `.momd` by name. A single version has itself only.
  public static func versions(at url: URL) throws(ModelError) -> [Version] {
    if ["xcdatamodel", "mom"].contains(url.pathExtension) {
      return [Version(name: versionName(of: url), url: url, isCurrent: true)]
    }
    let folders = try ModelFolder(url).listVersions()
    let current = try ModelFolder(url).findCurrentVersion(of: folders)
    return folders.map {
      Version(name: versionName(of: $0), url: $0, isCurrent: $0.lastPathComponent == current)
    }
  }

  /// The checksum of each version in a `.momd`, by its name. Compilers before Xcode 15 wrote none.
  public static func checksums(at url: URL) throws(ModelError) -> [String: String] {
    try ModelFolder(url).readChecksums()
  }

  private static func versionName(of url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }
}
