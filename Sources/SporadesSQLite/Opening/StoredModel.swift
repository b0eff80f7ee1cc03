// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

/// The model that a store's file tells by itself.
package enum StoredModel {
  /// The store carries the model, and its hashes and tables agree with it.
  case carried(ModelReading, configuration: String?)
  /// The model is that of the tables. The sentence says why the store's own model was not taken.
  case inferred(ModelReading, reason: String)

  /// Finds the model of a store in its file. Where the store carries none that agrees with it, `infer` makes one of its
  /// tables. The call only reads the file, and creates no file beside it.
  package static func find(
    inStoreAt path: String, _ infer: (TableCatalog) throws(StoreError) -> ModelReading
  ) throws(StoreError) -> StoredModel {
    guard try StoreContent.isFile(path) else {
      throw StoreError(.cannotOpen, "There is no store at \(path).")
    }
    if let error = StoreError.text(path) { throw error }
    return try UntouchedFile(path).read { (connection) throws(StoreError) in
      do throws(StoreError) { return try find(connection, path, infer) } catch {
        throw error.located(at: path)
      }
    }
  }

  private static func find(
    _ connection: Connection, _ path: String,
    _ infer: (TableCatalog) throws(StoreError) -> ModelReading
  ) throws(StoreError) -> StoredModel {
    connection.limit.allow(Self.steps)
    let identity = try StoreContent(on: connection).identity(at: path)
    let objection: String
    do throws(StoreError) {
      switch try carried(connection, identity, source: path) {
      case .agrees(let reading, let configuration):
        return .carried(reading, configuration: configuration)
      case .differs(let sentence): objection = sentence
      }
    } catch  where error.code == .corrupt || error.code == .unsupported {
      objection = error.detail
    }
    let names = CoreDataLayout.names
    let reading = try infer(TableCatalog(connection, names))
    // Every table, column and number of the model must be found again.
    _ = try ExistingLayout(connection, CoreDataLayout(reading.model, holding: nil)).layout()
    return .inferred(reading, reason: objection)
  }

  /// A limit of some seconds.
  private static let steps = 1_000_000_000

  // MARK: - The model that a store carries

  enum Carried {
    case agrees(ModelReading, configuration: String?)
    /// The sentence says why the store carries no model that can be taken.
    case differs(String)
  }

  /// Reads the model that a store carries, and compares it with the hashes and tables of the store.
  static func carried(
    _ connection: Connection, _ identity: StoreIdentity, source: String
  ) throws(StoreError) -> Carried {
    guard let reading = try CachedModel.read(on: connection, source: source) else {
      return .differs("The store carries no model.")
    }
    return switch try CachedModelCheck(reading.model, identity).outcome(connection) {
    case .agrees(let configuration): .agrees(reading, configuration: configuration)
    case .differs(let sentence): .differs(sentence)
    }
  }
}
