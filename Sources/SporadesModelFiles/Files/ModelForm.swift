// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesArchives
import SporadesModel

/// The form of a model on the disk, which its ending names.
enum ModelForm {
  /// The `contents` file of an `.xcdatamodel`.
  case contents
  /// One version as Xcode keeps it, a folder.
  case source
  /// Several of these, in a folder.
  case sources
  /// One version in the form that Xcode compiles it to, a file.
  case compiled
  /// Several of these, in a folder.
  case allCompiled

  init(_ url: URL) throws(ModelError) {
    switch url.pathExtension {
    case "xcdatamodel": self = .source
    case "xcdatamodeld": self = .sources
    case "mom": self = .compiled
    case "momd": self = .allCompiled
    case "" where url.lastPathComponent == "contents": self = .contents
    default:
      throw FileWriting.refusal(
        url,
        "does not say in which form to write a model; end the name with .xcdatamodeld, .xcdatamodel, .momd"
          + " or .mom.")
    }
  }

  /// The form of one version in a folder of several; its own form for one version.
  var ofVersion: ModelForm {
    switch self {
    case .sources: .source
    case .allCompiled: .compiled
    case .contents, .source, .compiled: self
    }
  }

  var holdsVersions: Bool { self == .sources || self == .allCompiled }

  /// The ending of a version's name, with its point.
  var versionEnding: String { ofVersion == .compiled ? ".mom" : ".xcdatamodel" }

  /// The name of the list that names the current version.
  var listName: String { self == .allCompiled ? "VersionInfo.plist" : ".xccurrentversion" }

  /// One version in this form, and the parts that the form cannot hold.
  func item(
    of model: ManagedObjectModel
  ) throws(ModelError) -> (item: WrittenItem, omissions: [ModelWarning]) {
    if ofVersion == .compiled {
      let (bytes, omissions) = ModelArchiver.archive(model, form: .compiled)
      return (.file(bytes), omissions)
    }
    let (text, omissions) = try ModelWriter.write(model)
    let contents = WrittenItem.file(Array(text.utf8))
    return (self == .contents ? contents : .folder([("contents", contents)]), omissions)
  }

  /// The list of the versions in a folder.
  func list(
    of versions: [(name: String, model: ManagedObjectModel)], current: String
  ) throws(ModelError) -> [UInt8] {
    guard self == .allCompiled else {
      return Array(try Self.currentVersionList(current + versionEnding).utf8)
    }
    let entries: [String: MetadataValue] = [
      "NSManagedObjectModel_CurrentVersionName": .string(current),
      "NSManagedObjectModel_VersionHashes": .dictionary(
        named(versions) { model in
          .dictionary(model.entityVersionHashesByName.mapValues { .data($0) })
        }),
      "NSManagedObjectModel_VersionChecksums": .dictionary(
        named(versions) { .string($0.versionChecksum) }),
    ]
    do throws(PropertyListError) {
      return try MetadataValue.binaryPropertyList(entries)
    } catch {
      throw ModelError([
        .init(.unwritableText, "The list of versions cannot be written: \(error.reason).")
      ])
    }
  }

  private func named(
    _ versions: [(name: String, model: ManagedObjectModel)],
    _ value: (ManagedObjectModel) -> MetadataValue
  ) -> [String: MetadataValue] {
    Dictionary(versions.map { ($0.name, value($0.model)) }) { $1 }
  }

  private static func currentVersionList(_ name: String) throws(ModelError) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(try ElementRenderer.escape(name))</string>
    </dict>
    </plist>

    """
  }
}
