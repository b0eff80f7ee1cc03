// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesPostgreSQL
public import SporadesStore

extension PostgreSQLStore {
  /// Makes a model of the tables in a schema. It changes nothing there.
  ///
  /// Tables with a primary key of one whole number are entities, foreign keys are relationships with inverses, and tables that
  /// hold two foreign keys and nothing that needs a value are many-to-many relationships.
  public static func inferredModel(
    at address: String, schema: String = "public"
  ) throws(StoreError) -> InferredModel {
    let options = PostgreSQLStoreOptions(schema: schema)
    let connection = try ServerSource(address: try ServerAddress(address), options: options)
      .connect()
    let catalog = try TableCatalog(connection, schemas: [schema])
    var inference = ModelInference(catalog)
    let entities = inference.entities()
    do throws(ModelError) {
      return InferredModel(
        model: try ManagedObjectModel(entities: entities), omissions: inference.omissions)
    } catch {
      throw StoreError(
        .unsupported, "\(connection.place): The tables of \(schema) make no model. \(error)",
        underlying: error)
    }
  }
}
