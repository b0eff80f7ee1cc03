// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

/// Divides results into sections: gives the name of the section of each object.
struct Sectioning {
  /// The stored properties that the name depends on; empty if nobody knows them.
  let path: [String]
  let name: (ManagedObject) throws -> String

  /// Sections by a function of the object.
  init<Object: ManagedObject>(_ name: @escaping (Object) throws -> String) {
    path = []
    self.name = { object in
      guard let object = object as? Object else {
        trap(
          "A section of \(Object.self) was asked for an object of class \(type(of: object)).")
      }
      return try name(object)
    }
  }

  /// Sections by the value of a property of the class.
  init<Object: ManagedObject, V>(_ keyPath: KeyPath<Object, V>) {
    // `try?`, because a computed property is no stored one and names a section nevertheless.
    path = (try? keyPath.storedNames()) ?? []
    let byValue = Sectioning { (object: Object) in Self.text(object[keyPath: keyPath]) }
    name = byValue.name
  }

  /// Sections by a key path that leads through to-one relationships to an attribute.
  init(_ keyPath: String, in entity: EntityShape, _ model: ManagedObjectModel) throws {
    path = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path.count == 1, case .attribute(let attribute)? = entity[path[0]], attribute.slot == nil {
      // because a transient attribute has a value in objects alone
      name = { Self.text($0.value(forKey: attribute.name)) }
      return
    }
    let reader = try AttributeReader(path, in: entity, model)
    name = { Self.text(try reader.value(of: $0)) }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .boolean(let truth): truth ? "1" : "0"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .date(let date): "\(date)"
    case .uuid(let id): id.uuidString
    case .url(let url): url.absoluteString
    case .objectID(let id): "\(id)"
    case .data, .list: "\(value)"
    }
  }

  private static func text<V>(_ value: V) -> String {
    if let optional = value as? any AnyOptional { return optional.text { "\($0)" } }
    return "\(value)"
  }
}

/// An optional of any type.
private protocol AnyOptional {
  func text(_ describe: (Any) -> String) -> String
}

extension Optional: AnyOptional {
  fileprivate func text(_ describe: (Any) -> String) -> String { map { describe($0) } ?? "" }
}
