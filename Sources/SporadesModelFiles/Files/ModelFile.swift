// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// Reads model files, and finds those of a folder: the versions of an `.xcdatamodeld`, and which is
/// current.
public enum ModelFile {
  /// A model and what was odd about its file.
  public struct Reading: Sendable {
    public let model: ManagedObjectModel
    /// What Xcode took and this library read otherwise or left out; nothing of it changes what stores
    /// hold.
    public let warnings: [ModelWarning]
  }

  /// Reads what `ManagedObjectModel(contentsOf:)` reads, and tells what was odd about it.
  public static func read(_ url: URL) throws(ModelError) -> Reading {
    let file = try ManagedObjectModel.contentsFile(at: url)
    let root = try XMLReader.read(try FileReading.bytes(of: file), file: file.path)
    return try ModelReader.reading(from: root, file: file.path)
  }

  /// One version of a model: an `.xcdatamodel` folder.
  public struct Version: Hashable, Sendable {
    /// The folder's name without its extension.
    public let name: String
    public let url: URL
    /// Whether it is the version `.xccurrentversion` names, or the only one.
    public let isCurrent: Bool

    public func model() throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(contentsOf: url)
    }
  }

  /// The versions of an `.xcdatamodeld`, by name; an `.xcdatamodel` is its own only version.
  public static func versions(at url: URL) throws(ModelError) -> [Version] {
    if url.pathExtension == "xcdatamodel" {
      return [Version(name: name(of: url), url: url, isCurrent: true)]
    }
    let folders = try ModelFolder(url).versions()
    let current = try ModelFolder(url).currentVersion(of: folders)
    return folders.map {
      Version(name: name(of: $0), url: $0, isCurrent: $0.lastPathComponent == current)
    }
  }

  private static func name(of url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }
}

/// An `.xcdatamodeld` folder: versions, and a property list that names the current one.
struct ModelFolder {
  private let url: URL

  init(_ url: URL) { self.url = url }

  func versions() throws(ModelError) -> [URL] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw FileReading.refusal(
        .unreadableFile, url, "cannot be listed (\(error)); check that it is there.")
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    guard !versions.isEmpty else {
      throw FileReading.refusal(
        .unreadableFile, url, "holds no .xcdatamodel; give an .xcdatamodeld with a version.")
    }
    return versions.map { url.appendingPathComponent($0, isDirectory: true) }
  }

  func current() throws(ModelError) -> URL {
    let versions = try versions()
    let name = try currentVersion(of: versions)
    if let version = versions.first(where: { $0.lastPathComponent == name }) { return version }
    throw FileReading.refusal(
      .unreadableFile, url,
      "has \(versions.count) versions and no .xccurrentversion that names the current one; give the"
        + " .xcdatamodel of one.")
  }

  /// The name of the current version's folder; nil where there are several and none is named.
  func currentVersion(of versions: [URL]) throws(ModelError) -> String? {
    let list = url.appendingPathComponent(".xccurrentversion")
    let only = versions.count == 1 ? versions[0].lastPathComponent : nil
    guard FileManager.default.fileExists(atPath: list.path) else { return only }
    let bytes = try FileReading.bytes(of: list)
    guard let named = try? PropertyListDecoder().decode(CurrentVersion.self, from: Data(bytes))
    else {
      throw FileReading.refusal(
        .malformedFile, list, "is no property list; restore it from version control.")
    }
    guard let name = named.name else { return only }
    guard versions.contains(where: { $0.lastPathComponent == name }) else {
      throw FileReading.refusal(
        .unreadableFile, list,
        "names the version \(name), which is not in the folder; add it or name another.")
    }
    return name
  }

  private struct CurrentVersion: Decodable {
    /// Absent in lists Xcode wrote before a version was chosen.
    let name: String?
    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
  }
}
