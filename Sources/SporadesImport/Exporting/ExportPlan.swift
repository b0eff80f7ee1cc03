// SPDX-License-Identifier: MIT
import SporadesModel

/// Which properties of an entity an export writes, under which keys.
struct ExportPlan: Sendable {
  /// The values of a row, in their order.
  let columns: [Column]
  /// The relationships whose objects are read together with the rows.
  let prefetched: [String]
  let omitted: [OmittedProperty]

  /// A class, because a reference is cheaper to pass on for each value than its parts.
  final class Column: Sendable {
    /// The key, without quotes.
    let key: String
    let content: Content

    init(key: String, content: Content) {
      self.key = key
      self.content = content
    }
  }

  enum Content: Sendable {
    case attribute(Leaf)
    /// The members of a composite attribute.
    case group([Column])
    /// The key of one object.
    case target(slot: Int, [Leaf])
    /// The keys of several objects.
    case targets(name: String, [Leaf])
    /// The text that a closure of the mapping makes of the key of one object, or of a list of keys.
    case written(RelationshipShape, Leaf, WayBack)
  }

  /// The closures of a mapping: the one that reads a value, and the one that writes it.
  struct WayBack: Sendable {
    let transform: @Sendable (ImportValue) throws -> ImportValue
    let inverse: @Sendable (Value) throws -> ImportValue
  }

  /// An attribute, and how its values are written.
  final class Leaf: Sendable {
    /// The name of the attribute, or of a member of a composite one.
    let name: String
    /// The key under which the attribute stands in a key of several attributes.
    let key: String
    /// The names of the entity and the attribute, for messages.
    let title: String
    let slot: Int
    /// How an import reads the values.
    let coercion: Coercion
    /// The bytes are those of a `Codable` value, which are JSON.
    let isJSON: Bool
    let wayBack: WayBack?

    var type: AttributeType { coercion.type }

    init(
      name: String, key: String, title: String, slot: Int, coercion: Coercion, isJSON: Bool,
      wayBack: WayBack?
    ) {
      self.name = name
      self.key = key
      self.title = title
      self.slot = slot
      self.coercion = coercion
      self.isJSON = isJSON
      self.wayBack = wayBack
    }
  }
}
