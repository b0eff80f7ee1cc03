// SPDX-License-Identifier: MIT

/// The value that a predicate computes of the property before it in a key path.
enum PropertyMember {
  /// The number of objects of a to-many relationship.
  case count
  /// A to-many relationship has no objects.
  case isEmpty
  /// A text is empty.
  case isEmptyText
  /// The object itself, or the one at the end of a to-one relationship.
  case id

  /// The last word of the key path.
  var word: String {
    switch self {
    case .count: "count"
    case .isEmpty, .isEmptyText: "isEmpty"
    case .id: "objectID"
    }
  }
}

/// A class whose objects have ids. It gives key paths the class as their root.
protocol IdentifiedObject: ManagedObject {}

extension ManagedObject: IdentifiedObject {}

extension IdentifiedObject {
  static var idKeyPath: PropertyKeyPath {
    PropertyKeyPath(.id, \Self.objectID, \Self?.?.objectID)
  }
}

/// A type of properties with members that a predicate computes.
protocol CountedProperty {
  static var memberKeyPaths: [PropertyKeyPath] { get }
}

extension Set: CountedProperty {
  // because Swift 6.3 crashes on these key paths where `Element: ManagedObject` is a requirement
  static var memberKeyPaths: [PropertyKeyPath] {
    guard Element.self is ManagedObject.Type else { return [] }
    return [
      PropertyKeyPath(.count, \Self.count, \Self?.?.count),
      PropertyKeyPath(.isEmpty, \Self.isEmpty, \Self?.?.isEmpty),
    ]
  }
}

extension Array: CountedProperty where Element: ManagedObject {
  static var memberKeyPaths: [PropertyKeyPath] {
    [
      PropertyKeyPath(.count, \Self.count, \Self?.?.count),
      PropertyKeyPath(.isEmpty, \Self.isEmpty, \Self?.?.isEmpty),
    ]
  }
}

extension String: CountedProperty {
  static var memberKeyPaths: [PropertyKeyPath] {
    [PropertyKeyPath(.isEmptyText, \Self.isEmpty, \Self?.?.isEmpty)]
  }
}
