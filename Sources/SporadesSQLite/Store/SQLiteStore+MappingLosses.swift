// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// The numbers of objects and values in the store at a path that mapping models leave behind, as far as there are any. The
  /// call only reads the file.
  package static func losses(
    _ parts: [MappingLosses.Part], ofStoreAt path: String, _ model: ManagedObjectModel,
    _ options: SQLiteStoreOptions
  ) throws(StoreError) -> [(part: MappingLosses.Part, loss: MigrationForecast.Loss)] {
    guard !parts.isEmpty else { return [] }
    return try UntouchedFile(path).read { (connection) throws(StoreError) in
      connection.limit.allow(0)
      let contents = try StoreContents(connection, model, options.configuration)
      var losses: [(MappingLosses.Part, MigrationForecast.Loss)] = []
      for part in parts {
        let statement = contents.count(
          ofEntity: part.entity, attribute: part.property, SQLiteDialect())
        guard let statement, let count = try connection.number(statement), count > 0 else {
          continue
        }
        losses.append(
          (part, .init(entity: part.entity, property: part.property, count: Int(count))))
      }
      return losses
    }
  }
}
