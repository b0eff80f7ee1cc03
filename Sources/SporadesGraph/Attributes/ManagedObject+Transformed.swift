// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

// Transformable attributes: a transformer turns values into bytes and back.
extension ManagedObject {
  final func transformed<V: Decodable>(_ place: Int) -> V? {
    if home.checksQueue { home.checkQueue(self, propertyName(at: place)) }
    let data: Data? = self[property: place]
    guard let data else { return nil }
    do {
      return try transformer(at: place).decode(V.self, from: data)
    } catch {
      home.context?.report(.undecodable(objectID, property: propertyName(at: place), error))
      return nil
    }
  }

  final func setTransformed<V: Encodable>(_ place: Int, _ value: V?) {
    guard let value else {
      self[property: place] = nil as Data?
      return
    }
    do {
      self[property: place] = try transformer(at: place).encode(value)
    } catch {
      home.context?.report(.undecodable(objectID, property: propertyName(at: place), error))
    }
  }

  /// The substitute for a value that is missing, or whose bytes are none of its type: nil, or the default.
  final func standIn<V: Decodable>(_ place: Int) -> V {
    if let nothing = nothing(as: V.self) { return nothing }
    let name = propertyName(at: place)
    guard case .attribute(let attribute)? = home.shape[name],
      case .data(let data) = attribute.description.defaultValue,
      // because a model from a file may have a default that this type can not decode, and the sentence below fits it
      let value = try? transformer(at: place).decode(V.self, from: data)
    else {
      trap(
        """
        \(home.shape.name).\(name) has no value that can be read as \(V.self), and no default. Make the property optional, \
        give it a default value, or decode the former encoding in \(V.self).init(from:).
        """)
    }
    return value
  }

  private final func transformer(at place: Int) -> any AttributeTransformer {
    guard case .attribute(let attribute)? = home.shape[propertyName(at: place)],
      let name = attribute.description.valueTransformerName
    else { return JSONTransformer() }
    return Transformers.named(name)
  }
}
