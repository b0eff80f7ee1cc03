// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// Reads model files, and lists the versions in an `.xcdatamodeld` folder.
public enum ModelFile {
  /// Reads a model like `ManagedObjectModel(contentsOf:)`, and also returns the warnings.
  public static func read(_ url: URL) throws(ModelError) -> ModelReading {
    let file = try ManagedObjectModel.findContentsFile(at: url)
    let root = try XMLReader.read(try FileReading.readBytes(of: file), file: file.path)
    return try ModelReader.read(root, file: file.path)
  }

  /// One version of a model: an `.xcdatamodel` folder.
  public struct Version: Hashable, Sendable {
    /// The name of the folder without its extension.
    public let name: String
    /// The folder.
    public let url: URL
    /// The file `.xccurrentversion` names this version, or there is no other version.
    public let isCurrent: Bool

    /// Reads the model of this version.
    public func model() throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(contentsOf: url)
    }
  }

  /// Lists the versions of an `.xcdatamodeld` by name. An `.xcdatamodel` has itself as its only version.
  public static func versions(at url: URL) throws(ModelError) -> [Version] {
    if url.pathExtension == "xcdatamodel" {
      return [Version(name: versionName(of: url), url: url, isCurrent: true)]
    }
    let folders = try ModelFolder(url).listVersions()
    let current = try ModelFolder(url).findCurrentVersion(of: folders)
    return folders.map {
      Version(name: versionName(of: $0), url: $0, isCurrent: $0.lastPathComponent == current)
    }
  }

  private static func versionName(of url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }
}
