// SPDX-License-Identifier: MIT
public import Foundation
import SporadesMissingFoundation
import SporadesModel

/// An attribute that each save computes of other values.
open class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression: a key path, `pets.@count`, `canonical:(name)`, `now()`.
  @available(*, deprecated, message: "Foundation marks NSExpression as deprecated on Linux.")
  public var derivationExpression: NSExpression? {
    get { (text as (any ExpressionText)?)?.expression }
    set {
      refuseChange()
      text = newValue.map { "\($0)" }
    }
  }
  private var text: String?

  public override init() { super.init() }

  init(reading attribute: AttributeDescription) {
    super.init()
    text = attribute.derivationExpression
  }

  override class func fresh() -> Self {
    guard let new = NSDerivedAttributeDescription() as? Self else { return super.fresh() }
    return new
  }

  override func copyParts(of other: NSPropertyDescription) {
    super.copyParts(of: other)
    text = (other as? NSDerivedAttributeDescription)?.text
  }

  override func described() throws -> AttributeDescription {
    var attribute = try super.described()
    attribute.derivationExpression = text
    return attribute
  }
}

/// A text that is an expression. The protocol stands between this module and a class that Foundation marks as deprecated.
private protocol ExpressionText {
  @available(*, deprecated)
  var expression: NSExpression { get }
}

@available(*, deprecated)
extension String: ExpressionText {
  fileprivate var expression: NSExpression { NSExpression(format: self) }
}

/// An attribute that consists of other ones.
open class NSCompositeAttributeDescription: NSAttributeDescription {
  /// The parts, which may be composite, too.
  public var elements: [NSAttributeDescription] = [] { didSet { refuseChange() } }

  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  init(reading attribute: AttributeDescription) {
    super.init()
    attributeType = .compositeAttributeType
    elements = attribute.elements.map(NSAttributeDescription.reading)
  }

  override class func fresh() -> Self {
    guard let new = NSCompositeAttributeDescription() as? Self else { return super.fresh() }
    return new
  }

  override func copyParts(of other: NSPropertyDescription) {
    super.copyParts(of: other)
    guard let other = other as? NSCompositeAttributeDescription else { return }
    elements = other.elements.map { $0.duplicate() }
  }

  override func described() throws -> AttributeDescription {
    var attribute = try super.described()
    attribute.elements = try elements.map { try $0.described() }
    return attribute
  }
}
