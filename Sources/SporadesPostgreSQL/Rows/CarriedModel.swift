// SPDX-License-Identifier: MIT
import SporadesArchives
public import SporadesModel
import SporadesSQL
public import SporadesStore

// The model that a store on a server carries within itself.
extension ServerMetadata.Stored {
  /// Reads the model of the version that wrote the store at a place.
  func carriedModel(at place: String) throws(StoreError) -> ManagedObjectModel {
    let carried: ManagedObjectModel
    do throws(ModelError) {
      carried = try ModelUnarchiver.read(deflated: model, source: place).model
    } catch {
      throw StoreError(
        .corrupt,
        "\(place): The store carries a model that cannot be read. \(error) Add the version that wrote it to migration.versions.",
        underlying: error)
    }
    guard isOf(carried) else {
      throw StoreError(
        .corrupt,
        "\(place): The store carries a model that is not the one that wrote it. Add the version that wrote it to "
          + "migration.versions.")
    }
    return carried
  }
}

extension ManagedObjectModel {
  /// Reads the model that a store on a server carries within itself, without the program's own model; nil if the schema has
  /// no store. The call only reads.
  public static func cachedModel(
    forStoreAt address: String, options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws(StoreError) -> ManagedObjectModel? {
    let source = ServerSource(address: try ServerAddress(address), options: options)
    let connection = try source.connect()
    guard try connection.hasTable(ServerLayout.names.metadata.table, in: options.schema) else {
      return nil
    }
    return try ServerMetadata(connection).stored().carriedModel(at: connection.place)
  }
}
