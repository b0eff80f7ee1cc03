// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import SporadesXcode

/// A model that the user named: one in a file of Xcode, or the one of a store.
struct GivenModel {
  /// The place that the user named.
  let path: String
  let model: ManagedObjectModel
  /// The parts that the reader changed or left out.
  let warnings: [ModelWarning]
  /// The store around the model; nil for a model file.
  let store: Store?

  /// The facts of a store that concern its model.
  struct Store {
    let origin: GivenStore.Origin
    /// The store's own version hashes by the names of its entities.
    let hashes: [String: [UInt8]]
    /// The configuration of the model whose entities the store holds; nil for all entities.
    let configuration: String?
  }

  /// Reads the current version of a model file, or the model of a store.
  init(_ path: String) throws {
    self.path = path
    guard try Self.isStore(path) else {
      let reading = try ModelFile.read(URL(fileURLWithPath: path))
      (model, warnings, store) = (reading.model, reading.warnings, nil)
      return
    }
    let url = URL(fileURLWithPath: path)
    let found = try StoreModel(ofStoreAt: url)
    let metadata = try SQLiteStore.metadata(ofStoreAt: url)
    (model, warnings) = (found.model, found.warnings)
    let origin: GivenStore.Origin =
      switch found.source {
      case .cached: .cached
      case .tables(let reason): .inferred(reason: reason)
      }
    store = Store(
      origin: origin, hashes: metadata.versionHashes ?? [:], configuration: found.configuration)
  }

  /// Whether the path leads to a file that can only be a store. Throws where it leads to nothing.
  static func isStore(_ path: String) throws(CommandError) -> Bool {
    let url = URL(fileURLWithPath: path)
    switch SystemFile.kind(path) {
    case .none:
      throw .failed("There is neither a model nor a store at \(path). Check the path.")
    case .folder: return false
    case .file, .other, .hidden:
      return url.lastPathComponent != "contents" && !endings.contains(url.pathExtension)
    }
  }

  /// The endings of the names of model files.
  static let endings: Set<String> = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "omo"]

  /// The versions in a folder of versions, by name; nil for anything else.
  static func versions(at path: String) throws -> [ModelFile.Version]? {
    let url = URL(fileURLWithPath: path)
    guard ["xcdatamodeld", "momd"].contains(url.pathExtension), SystemFile.kind(path) == .folder
    else { return nil }
    return try ModelFile.versions(at: url)
  }

  /// The name of the file without its ending.
  static func name(of path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }
}

extension Operand {
  static let model = Operand(
    name: "MODEL",
    text: "A model (.xcdatamodeld, .xcdatamodel, .momd or .mom), or a store with its own.")
}

extension ModelError.Problem {
  /// The subject and the sentence, without the place in the file.
  var sentence: String {
    let subject = [entity, property].compactMap(\.self).joined(separator: ".")
    return subject.isEmpty ? detail : "\(subject): \(detail)"
  }

  /// The problem as the program prints it in JSON.
  var json: JSON {
    .object([
      ("code", .text(code.rawValue)), ("entity", .optional(entity)),
      ("property", .optional(property)), ("file", .optional(location?.file)),
      ("line", location.map { .count($0.line) } ?? .null), ("text", .text(detail)),
    ])
  }
}
