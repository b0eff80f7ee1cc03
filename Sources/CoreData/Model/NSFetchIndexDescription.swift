// SPDX-License-Identifier: MIT
public import Foundation
import SporadesMissingFoundation
import SporadesModel

/// The way in which an index arranges its values.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// By the order of the values.
  case binary
  /// By ranges of several numbers.
  case rTree
}

/// An index that a store keeps for the rows of an entity.
open class NSFetchIndexDescription: NSObject, NSCopying {
  /// The name, unique in its entity.
  public var name: String
  /// The properties of the index, the most significant first.
  public var elements: [NSFetchIndexElementDescription] {
    didSet { for element in elements { element.indexDescription = self } }
  }
  /// The entity that has the index.
  public internal(set) weak var entity: NSEntityDescription?
  /// The index has only the rows that satisfy the condition.
  public var partialIndexPredicate: NSPredicate?

  /// Makes an index of its elements.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.indexDescription = self }
  }

  func described() throws -> FetchIndexDescription {
    FetchIndexDescription(
      name,
      elements.map {
        .init(
          $0.propertyName ?? "", isAscending: $0.isAscending,
          collation: $0.collationType == .rTree ? .rTree : .binary)
      }, where: try partialIndexPredicate?.condition)
  }

  func duplicate() -> NSFetchIndexDescription {
    let copy = NSFetchIndexDescription(
      name: name,
      elements: elements.map {
        let element = NSFetchIndexElementDescription(
          propertyName: $0.propertyName, collationType: $0.collationType)
        element.isAscending = $0.isAscending
        return element
      })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

  /// The index of the library's description.
  static func reading(_ index: FetchIndexDescription) -> NSFetchIndexDescription {
    let new = NSFetchIndexDescription(
      name: index.name,
      elements: index.elements.map {
        let element = NSFetchIndexElementDescription(
          propertyName: $0.property, collationType: $0.collation == .rTree ? .rTree : .binary)
        element.isAscending = $0.isAscending
        return element
      })
    new.partialIndexPredicate = index.partialIndexPredicate.map { NSPredicate($0) }
    return new
  }

  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }
}

/// A property of an index.
open class NSFetchIndexElementDescription: NSObject {
  /// The property; nil where the element knows its name alone.
  public let property: NSPropertyDescription?
  /// The name of the property.
  public let propertyName: String?
  /// The way in which the index arranges the values.
  public var collationType: NSFetchIndexElementType
  /// Smaller values come first.
  public var isAscending = true
  /// The index that has the element.
  public internal(set) weak var indexDescription: NSFetchIndexDescription?

  /// Makes an element of an attribute, a relationship or an expression.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    // `try?`: a property of any other kind has a name.
    let computed = try? (property as? NSExpressionDescription)?.described()
    propertyName = computed.map { "\($0.expression)" } ?? property.name
    self.collationType = collationType
  }

  init(propertyName: String?, collationType: NSFetchIndexElementType) {
    property = nil
    self.propertyName = propertyName
    self.collationType = collationType
  }
}
