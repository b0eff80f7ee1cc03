// SPDX-License-Identifier: MIT
public import Foundation
import SporadesMissingFoundation
import SporadesModel

/// A property whose value is the result of a fetch.
open class NSFetchedPropertyDescription: NSPropertyDescription {
  /// The fetch, in whose predicate `$FETCH_SOURCE` is the object.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { didSet { refuseChange() } }

  override class func fresh() -> Self {
    guard let new = NSFetchedPropertyDescription() as? Self else { return super.fresh() }
    return new
  }

  override func copyParts(of other: NSPropertyDescription) {
    super.copyParts(of: other)
    fetchRequest = (other as? NSFetchedPropertyDescription)?.fetchRequest?.duplicate()
  }

  override func add(to entity: inout EntityDescription) throws {
    guard let fetchRequest else {
      throw NSError.coreData(
        .general, "The fetched property \(description) has no fetchRequest. Set one.")
    }
    var property = FetchedPropertyDescription(
      name, try fetchRequest.request(), isOptional: isOptional)
    property.userInfo = texts(of: userInfo)
    entity.fetchedProperties.append(property)
  }
}

/// A value that a fetch of dictionaries computes.
open class NSExpressionDescription: NSPropertyDescription {
  /// The type of the value.
  public var expressionResultType = NSAttributeType.undefinedAttributeType
  /// The type of the value.
  public var resultType: NSAttributeDescription.AttributeType {
    get { .init(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }
  /// The expression.
  @available(*, deprecated, message: "Foundation marks NSExpression as deprecated on Linux.")
  public var expression: NSExpression? {
    get { (held as? (any HeldExpression))?.expression }
    set { held = newValue }
  }
  private var held: NSObject?

  override class func fresh() -> Self {
    guard let new = NSExpressionDescription() as? Self else { return super.fresh() }
    return new
  }

  override func copyParts(of other: NSPropertyDescription) {
    super.copyParts(of: other)
    guard let other = other as? NSExpressionDescription else { return }
    expressionResultType = other.expressionResultType
    held = other.held
  }

  override func add(to entity: inout EntityDescription) throws {
    throw NSError.coreData(
      .general,
      "The entity \(entity.name) has \(name), which is the expression of a fetch. Add attributes and relationships."
    )
  }

  /// The value as the library has it.
  func described() throws -> ExpressionDescription {
    guard let held = held as? any HeldExpression else {
      throw NSError.coreData(
        .general, "The NSExpressionDescription \(name) has no expression. Set one.")
    }
    let type = expressionResultType
    return ExpressionDescription(
      name, held.fetchExpression, resultType: type == .undefinedAttributeType ? nil : type.type)
  }
}

/// An expression, by a protocol that stands between this module and a class that Foundation marks as deprecated.
protocol HeldExpression: NSObject {
  var fetchExpression: FetchExpression { get }
}

@available(*, deprecated)
extension NSExpression: HeldExpression {
  var fetchExpression: FetchExpression { content }
}

extension HeldExpression {
  @available(*, deprecated)
  fileprivate var expression: NSExpression? { self as? NSExpression }
}
