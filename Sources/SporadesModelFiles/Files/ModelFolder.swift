// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesArchives
import SporadesModel

/// A folder with versions of a model, and a property list that names the current version: an
/// `.xcdatamodeld`, or the `.momd` that it is compiled to.
struct ModelFolder {
  private let url: URL
  private let form: Form

  /// The two forms of such folders.
  private struct Form {
    /// The ending of a version's name.
    let version: String
    /// The name of the property list.
    let list: String
    /// The key of the current version's name in the list.
    let current: String
    /// The list names a version without its ending.
    let leavesOutEnding: Bool

    static let source = Form(
      version: ".xcdatamodel", list: ".xccurrentversion", current: "_XCCurrentVersionName",
      leavesOutEnding: false)
    static let compiled = Form(
      version: ".mom", list: "VersionInfo.plist",
      current: "NSManagedObjectModel_CurrentVersionName", leavesOutEnding: true)
  }

  init(_ url: URL) {
    self.url = url
    form = url.pathExtension == "momd" ? .compiled : .source
  }

  func listVersions() throws(ModelError) -> [URL] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw FileReading.makeRefusal(
        .unreadableFile, url,
        "cannot be listed (\(FileFailure.reason(error))); check that it exists.")
    }
    let versions = names.filter { $0.hasSuffix(form.version) }.sorted {
      VersionName($0, form.version) < VersionName($1, form.version)
    }
    guard !versions.isEmpty else {
      throw FileReading.makeRefusal(
        .unreadableFile, url,
        "holds no \(form.version); name an .xcdatamodeld or .momd with a version.")
    }
    return versions.map {
      url.appendingPathComponent($0, isDirectory: form.version == Form.source.version)
    }
  }

  func findCurrent() throws(ModelError) -> URL {
    let versions = try listVersions()
    let name = try findCurrentVersion(of: versions)
    if let version = versions.first(where: { $0.lastPathComponent == name }) { return version }
    throw FileReading.makeRefusal(
      .unreadableFile, url,
      "has \(versions.count) versions and no \(form.list) that names the current one; name one of its "
        + "\(form.version) versions.")
  }

  /// Finds the name of the current version's folder or file; nil if there are several versions and no
  /// property list names one.
  func findCurrentVersion(of versions: [URL]) throws(ModelError) -> String? {
    let only = versions.count == 1 ? versions[0].lastPathComponent : nil
    guard case .string(var name)? = try readList()?[form.current] else { return only }
    if form.leavesOutEnding { name += form.version }
    guard versions.contains(where: { $0.lastPathComponent == name }) else {
      throw FileReading.makeRefusal(
        .unreadableFile, url.appendingPathComponent(form.list),
        "names the version \(name), which is not in the folder; add it or name another.")
    }
    return name
  }

  /// The checksum that the list has for each version. Xcode writes them from version 15 on.
  func readChecksums() throws(ModelError) -> [String: String] {
    guard case .dictionary(let entries)? = try readList()?["NSManagedObjectModel_VersionChecksums"]
    else { return [:] }
    return entries.compactMapValues { if case .string(let checksum) = $0 { checksum } else { nil } }
  }

  /// The entries of the property list; nil if there is none.
  private func readList() throws(ModelError) -> [String: MetadataValue]? {
    let list = url.appendingPathComponent(form.list)
    guard FileManager.default.fileExists(atPath: list.path) else { return nil }
    let bytes = try FileReading.readBytes(of: list)
    do throws(PropertyListError) {
      let value = try MetadataValue.read(propertyList: bytes)
      guard case .dictionary(let entries) = value else {
        throw PropertyListError("it holds no dictionary")
      }
      return entries
    } catch {
      throw FileReading.makeRefusal(
        .malformedFile, list,
        "is not a property list: \(error.reason). Restore it from version control.")
    }
  }
}

/// The order of versions by their names, in which `Pets` comes before `Pets 2`, and that before `Pets 10`.
private struct VersionName: Comparable {
  private let parts: [Part]

  private struct Part: Comparable {
    let number: Int
    let text: String

    static func < (left: Part, right: Part) -> Bool {
      (left.number, left.text) < (right.number, right.text)
    }
  }

  init(_ name: String, _ ending: String) {
    var parts: [Part] = []
    var rest = Substring(name.dropLast(ending.count))
    while !rest.isEmpty {
      let text = rest.prefix { !$0.isASCII || !$0.isNumber }
      rest = rest.dropFirst(text.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      if !text.isEmpty { parts.append(Part(number: 0, text: String(text))) }
      // A number that is too large for a word comes after all others, in the order of its digits.
      if !digits.isEmpty { parts.append(Part(number: Int(digits) ?? .max, text: String(digits))) }
    }
    self.parts = parts
  }

  static func < (left: VersionName, right: VersionName) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
