// SPDX-License-Identifier: MIT

extension ManagedObjectModel {
  /// The request kept in the model under the name, with values in place of its variables; nil where
  /// the model keeps none. A variable without a value is refused by the fetch.
  public func fetchRequest(
    fromTemplate name: String, substituting values: [String: Value] = [:]
  ) -> FetchRequest? {
    guard var request = fetchRequestTemplates[name] else { return nil }
    request.predicate = request.predicate?.substituting(values)
    return request
  }
}
