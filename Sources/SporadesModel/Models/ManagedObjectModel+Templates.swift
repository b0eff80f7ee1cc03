// SPDX-License-Identifier: MIT

extension ManagedObjectModel {
  /// The model's request with the name, with values in place of its variables; nil if the model has
  /// no such request. The fetch refuses a variable without a value.
  public func fetchRequest(
    fromTemplate name: String, substituting values: [String: Any?] = [:]
  ) -> FetchRequest? {
    guard var request = fetchRequestTemplates[name] else { return nil }
    request.predicate = request.predicate?.substituting(values)
    return request
  }
}
