// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesArchives
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension ManagedObjectModel {
  /// Reads the model that a store carries within itself, without the program's own model; nil if the store
  /// carries none. Stores that Apple's frameworks made before iOS 9 carry none.
  ///
  /// The call only reads the file, and creates no file beside it.
  public static func cachedModel(forStoreAt url: URL) throws(StoreError) -> ManagedObjectModel? {
    try CachedModel.read(at: url.path)?.model
  }
}

/// The model that a store carries within itself.
enum CachedModel {
  /// Reads the model in the file at a path, with the warnings of the reader.
  static func read(at path: String) throws(StoreError) -> ModelReading? {
    // The check comes first, because its errors say what else lies at the path.
    _ = try StoreContent.read(at: path).identity(at: path)
    return try UntouchedFile(path).read { (connection) throws(StoreError) in
      do throws(StoreError) { return try read(on: connection, source: path) } catch {
        throw error.located(at: path)
      }
    }
  }

  /// Reads the model in the database of a connection. `source` names it in errors.
  static func read(
    on connection: Connection, source path: String
  ) throws(StoreError) -> ModelReading? {
    guard let bytes = try contents(connection) else { return nil }
    do throws(ModelError) {
      return try ModelUnarchiver.read(deflated: bytes, source: path)
    } catch {
      throw StoreError(
        .corrupt,
        "The store carries a model that cannot be read. \(error) Open the store with the version that wrote it, or add that "
          + "version to migration.versions.", underlying: error)
    }
  }

  /// The bytes in which a new store keeps its model.
  static func bytes(_ model: ManagedObjectModel) throws(StoreError) -> [UInt8] {
    do throws(PropertyListError) {
      return try ModelArchiver.deflated(model)
    } catch {
      throw StoreError(.unsupported, "The model cannot be kept in the store: \(error.reason).")
    }
  }

  private static func contents(_ connection: Connection) throws(StoreError) -> [UInt8]? {
    guard let names = CoreDataLayout.names.modelCache,
      try connection.rows(.tables).contains(where: { $0[0].text == names.table })
    else { return nil }
    let row = try connection.rows(ModelCacheStatements(names, SQLiteDialect()).read).first
    switch row?[0] {
    case .blob(let bytes): return bytes
    case nil, .null: return nil
    case .text, .integer, .real:
      throw StoreError(
        .corrupt,
        "\(names.table).\(names.contents) holds no bytes. Open the store with a model of the program."
      )
    }
  }
}
