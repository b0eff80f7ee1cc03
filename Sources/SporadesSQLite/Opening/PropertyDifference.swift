// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The names of the properties in which the model within a store differs from another one, for the error
/// that refuses to open the store.
enum PropertyDifference {
  private static let shown = 12

  /// The text behind the names of the changed entities; empty if the store carries no model.
  static func text(
    _ entities: [String], _ model: ManagedObjectModel, inStoreAt path: String?
  ) -> String {
    // try? because the store is refused for its model, whether it tells the details or not.
    guard let path, let cached = try? CachedModel.read(at: path)?.model else { return "" }
    let parts = entities.flatMap { name -> [String] in
      guard let here = model.shape(named: name)?.description,
        let there = cached.shape(named: name)?.description
      else { return [] }
      return describe(here, there)
    }
    guard !parts.isEmpty else { return "" }
    let rest = parts.count - shown
    return " (" + parts.prefix(shown).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more)" : ")")
  }

  private static func describe(
    _ here: EntityDescription, _ there: EntityDescription
  ) -> [String] {
    let (own, stored) = (properties(of: here), properties(of: there))
    return Set(own.keys).union(stored.keys).sorted().compactMap { name in
      let path = "\(here.name).\(name)"
      switch (own[name], stored[name]) {
      case (_?, nil): return "only the model has \(path)"
      case (nil, _?): return "only the store has \(path)"
      case (let mine?, let other?) where mine != other:
        return "\(path) is \(mine) in the model and \(other) in the store"
      default: return nil
      }
    }
  }

  /// What a version hash says of each property, in words.
  private static func properties(of entity: EntityDescription) -> [String: String] {
    var all: [String: String] = [:]
    for attribute in entity.attributes {
      all[attribute.name] =
        (attribute.isOptional ? "an optional" : "a required")
        + (attribute.isTransient ? " transient" : "") + " \(attribute.type)"
    }
    for relationship in entity.relationships {
      let kind =
        relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
      all[relationship.name] =
        (relationship.isOptional ? "an optional" : "a required")
        + " \(kind) relationship to \(relationship.destinationEntityName)"
    }
    return all
  }
}
