// SPDX-License-Identifier: MIT
import CSQLite
import SporadesArchives
import SporadesModel
import Testing

/// The schema of a store's file, for comparisons of a new file with a real one.
struct FileSchema {
  struct Object: Hashable {
    let kind: String
    let name: String
    let text: String
  }

  /// The objects in the order in which they were made.
  private(set) var objects: [Object] = []
  /// The rows that number the entities.
  private(set) var numbers: [String] = []
  private(set) var metadata: [String: MetadataValue] = [:]
  /// The settings of the file by their names.
  private(set) var settings: [String] = []

  init(_ path: String) throws {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let rows = unsafe try SQLRows.texts(
      database,
      "SELECT type || char(31) || name || char(31) || IFNULL(sql, '') FROM sqlite_master ORDER BY rowid"
    )
    objects = rows.compactMap(Self.object)
    numbers = unsafe try SQLRows.texts(
      database,
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1"
    )
    let list = unsafe try SQLRows.bytes(database, "SELECT Z_PLIST FROM Z_METADATA")
    guard case .dictionary(let entries) = try MetadataValue.read(propertyList: list) else {
      return
    }
    metadata = entries
    for name in [
      "page_size", "auto_vacuum", "application_id", "user_version", "encoding", "journal_mode",
    ] {
      settings.append("\(name) " + (unsafe try SQLRows.texts(database, "PRAGMA \(name)").joined()))
    }
  }

  /// Nil for the history, which a store begins when it is told to, for an app's own triggers, and for what
  /// SQLite makes itself.
  private static func object(_ row: String) -> Object? {
    let parts = row.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    let (kind, name, text) = (parts[0], parts[1], parts[2])
    let isOfHistory = ["ACHANGE", "ATRANSACTION", "Z_TRANSACTION"].contains { name.hasPrefix($0) }
    guard !isOfHistory, !text.isEmpty, !name.hasPrefix("sqlite_") else { return nil }
    if kind == "trigger", !name.hasPrefix("Z_DA_"), !name.hasPrefix("Z_RT_") { return nil }
    let plain = text.replacing("\"", with: "").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    return Object(kind: kind, name: name, text: plain)
  }

  // MARK: - Differences

  /// What a new file has otherwise than this one, each as a sentence.
  func differences(in new: FileSchema) -> [String] {
    var found: [String] = []
    let theirs = Dictionary(uniqueKeysWithValues: objects.map { ($0.name, $0) })
    let ours = Dictionary(uniqueKeysWithValues: new.objects.map { ($0.name, $0) })
    for object in objects {
      guard let other = ours[object.name] else {
        found.append("\(object.kind) \(object.name): missing")
        continue
      }
      if object.text != other.text { found.append(Self.difference(object, other)) }
    }
    for object in new.objects where theirs[object.name] == nil {
      found.append("\(object.kind) \(object.name): added")
    }
    let shared = objects.filter { ours[$0.name] != nil }.map(\.name)
    let order = new.objects.filter { theirs[$0.name] != nil }.map(\.name)
    if shared.filter(Self.isNotOfJoin) != order.filter(Self.isNotOfJoin) {
      found.append("objects: another order")
    } else if shared != order {
      found.append("joins: another order")
    }
    if numbers != new.numbers { found.append("numbers of entities: others") }
    for key in Set(metadata.keys).union(new.metadata.keys).sorted()
    where key != "NSPersistenceFrameworkVersion" && metadata[key] != new.metadata[key] {
      let what =
        new.metadata[key] == nil ? "missing" : metadata[key] == nil ? "added" : "another value"
      found.append("metadata \(key): \(what)")
    }
    for (their, our) in zip(settings, new.settings) where their != our {
      found.append("setting \(their): \(our)")
    }
    return found
  }

  /// The names of joins and of their indexes begin with `Z_` and a number.
  private static func isNotOfJoin(_ name: String) -> Bool {
    !(name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true)
  }

  private static func difference(_ object: Object, _ other: Object) -> String {
    let (their, our) = (columns(object.text), columns(other.text))
    let what = Set(their) == Set(our) ? "another order of columns" : "another text"
    return "\(object.kind) \(object.name): \(what)"
  }

  private static func columns(_ text: String) -> [Substring] {
    text.drop { $0 != "(" }.split(separator: ",")
      .map { $0.drop { " (".contains($0) }.prefix { $0 != ")" } }
      .map { $0.hasSuffix(" ") ? $0.dropLast() : $0 }
  }
}
