// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// The numbers of objects of entities, or of values of attributes, in the store at a path; nil where the file has no
  /// such part. The call only reads the file.
  package static func counts(
    of parts: [(entity: String, attribute: String?)], inStoreAt path: String,
    _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws(StoreError) -> [Int?] {
    guard !parts.isEmpty else { return [] }
    return try UntouchedFile(path).read { (connection) throws(StoreError) in
      connection.limit.allow(0)
      let contents = try StoreContents(connection, model, options.configuration)
      var counts: [Int?] = []
      for part in parts {
        let statement = contents.count(
          ofEntity: part.entity, attribute: part.attribute, SQLiteDialect())
        guard let statement else {
          counts.append(nil)
          continue
        }
        counts.append(try connection.number(statement).map(Int.init))
      }
      return counts
    }
  }
}
