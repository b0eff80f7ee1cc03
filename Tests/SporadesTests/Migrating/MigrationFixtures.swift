// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode

/// Real models, mapping models and stores. They lie in `shared/fixtures` beside the checkout, or in the folder that
/// the environment variable `SPORADES_FIXTURES` names.
enum MigrationFixtures {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("../shared/fixtures", isDirectory: true).standardized
  }()

  static var areThere: Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("INDEX.md").path)
  }

  static let moody = "objcio+core-data/Migrations/Migrations"
  static let books = "hwaxxer+BookMigration/BookMigration"
  static let posts = "wibosco+CoreDataMigration-Example/CoreDataMigration-Example/CoreData"
  static let employees = "jessesquires+JSQCoreDataKit/Example/ExampleModel/ExampleModel"
  static let notes =
    "kodecocodes+cdt-materials/06-versioning-and-migration/projects/final/UnCloudNotes"
  static let cars = "alemar11+CoreDataPlus/Tests/Resources/SampleModel"
  static let creatures = "JohnEstropia+CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo"

  static func model(_ path: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: folder.appendingPathComponent("models/\(path).xcdatamodel"))
  }

  static func mapping(_ path: String) throws -> MappingModel {
    try MappingModel(contentsOf: folder.appendingPathComponent("mapping/\(path).xcmappingmodel"))
  }

  /// Copies a store with its log to a folder that the test may change.
  static func copy(_ store: String, to folder: URL) throws -> URL {
    let source = Self.folder.appendingPathComponent("stores/\(store)")
    let copy = folder.appendingPathComponent(source.lastPathComponent)
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + end) {
      try FileManager.default.copyItem(atPath: source.path + end, toPath: copy.path + end)
    }
    return copy
  }
}

/// A folder that is gone after the test.
final class MigrationFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "sporades-migration-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

/// Runs a block on the objects of a store in a file.
@discardableResult
func withObjects<Output>(
  of url: URL, _ model: ManagedObjectModel, _ body: (ManagedObjectContext) throws -> Output
) throws -> Output {
  let store = try SQLiteStore(url: url, model: model)
  let result = try withObjects(of: store, body)
  try store.close()
  return result
}

@discardableResult
func withObjects<Output>(
  of store: any PersistentStore, _ body: (ManagedObjectContext) throws -> Output
) throws -> Output {
  var result: Result<Output, any Error>?
  try DataStack(store: store).newContext().performAndWait { context in
    result = Result { try body(context) }
    if context.hasChanges { try context.save() }
  }
  guard let result else { throw CancellationError() }
  return try result.get()
}

extension ManagedObjectContext {
  func all(_ entity: String) throws -> [ManagedObject] { try fetch(FetchRequest(entity)) }

  @discardableResult
  func add(
    _ entity: String, _ values: [String: Value], _ links: [String: ManagedObject] = [:]
  ) throws -> ManagedObject {
    let object = try insert(entityNamed: entity)
    for (name, value) in values { object[name] = value }
    for (name, other) in links { object.setObject(other, forKey: name) }
    return object
  }
}
