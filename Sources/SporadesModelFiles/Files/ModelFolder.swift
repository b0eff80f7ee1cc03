// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// An `.xcdatamodeld` folder: versions of a model, and a property list that names the current version.
struct ModelFolder {
  private let url: URL

  init(_ url: URL) { self.url = url }

  func listVersions() throws(ModelError) -> [URL] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw FileReading.makeRefusal(
        .unreadableFile, url, "cannot be listed (\(error)); check that it exists.")
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    guard !versions.isEmpty else {
      throw FileReading.makeRefusal(
        .unreadableFile, url, "holds no .xcdatamodel; name an .xcdatamodeld with a version.")
    }
    return versions.map { url.appendingPathComponent($0, isDirectory: true) }
  }

  func findCurrent() throws(ModelError) -> URL {
    let versions = try listVersions()
    let name = try findCurrentVersion(of: versions)
    if let version = versions.first(where: { $0.lastPathComponent == name }) { return version }
    throw FileReading.makeRefusal(
      .unreadableFile, url,
      "has \(versions.count) versions and no .xccurrentversion that names the current one; name one of"
        + " its .xcdatamodel folders.")
  }

  /// Finds the name of the current version's folder; nil if there are several versions and no property
  /// list names one.
  func findCurrentVersion(of versions: [URL]) throws(ModelError) -> String? {
    let list = url.appendingPathComponent(".xccurrentversion")
    let only = versions.count == 1 ? versions[0].lastPathComponent : nil
    guard FileManager.default.fileExists(atPath: list.path) else { return only }
    let bytes = try FileReading.readBytes(of: list)
    // `try?`, because the refusal says all that matters.
    guard let named = try? PropertyListDecoder().decode(CurrentVersion.self, from: Data(bytes))
    else {
      throw FileReading.makeRefusal(
        .malformedFile, list, "is not a property list; restore it from version control.")
    }
    guard let name = named.name else { return only }
    guard versions.contains(where: { $0.lastPathComponent == name }) else {
      throw FileReading.makeRefusal(
        .unreadableFile, list,
        "names the version \(name), which is not in the folder; add it or name another.")
    }
    return name
  }

  private struct CurrentVersion: Decodable {
    /// The folder's name. Xcode leaves it out until somebody chooses a version.
    let name: String?
    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
  }
}
