// SPDX-License-Identifier: MIT
public import Foundation
public import SporadesModel

// The class of all expressions, and the expression of Sporades in it.

/// An expression of ours, for code that does not name its class, of which Foundation warns.
protocol ExpressionHolder: NSObject {
  /// The expression of Sporades. One that objects in memory alone can be asked is refused by a fetch.
  var held: FetchExpression { get }
  /// The value for an object, with values for variables.
  func value(for object: Any?, _ bindings: [String: Any]) -> Any?
}

/// What an expression of Foundation has beside one of Sporades.
enum ExpressionSource {
  /// An expression of Sporades says everything.
  case content
  /// The value that a program gave, as it was.
  case constant(Any?)
  /// A closure and its arguments.
  case block((Any?, [Any], NSMutableDictionary?) -> Any, [any ExpressionHolder])
  /// The name of any property.
  case anyKey
}

/// An expression of ours. Its instances are made as ``ExpressionDraft``, because the class above has no initializer to call.
@available(*, deprecated)
final class ConditionExpression: NSExpression, ExpressionHolder {
  let held: FetchExpression
  let given: ExpressionSource

  /// Nobody: ``make(_:_:)`` is the way.
  private init?(unused: Never) { return nil }

  static func make(_ held: FetchExpression, _ source: ExpressionSource) -> ConditionExpression {
    ConditionCompound.adopt()
    return ClassChange.object(ExpressionDraft(held, source), as: ConditionExpression.self)
  }

  override var description: String {
    switch given {
    case .block: "BLOCK"
    case .anyKey: "ANYKEY"
    case .constant(let value?) where held.isRefused: "\(value)"
    // As Apple's frameworks tell the object that stands for nil from nil itself.
    case .constant(.some) where held == .constant(.null): "<null>"
    default: "\(held.withTruthAsNumbers)"
    }
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ConditionExpression else { return false }
    if other === self { return true }
    switch (given, other.given) {
    case (.anyKey, .anyKey): return true
    case (.constant(let one as NSObject), .constant(let other as NSObject)) where held.isRefused:
      return one.isEqual(other)
    default: return !held.isRefused && held.withTruthAsNumbers == other.held.withTruthAsNumbers
    }
  }

  func value(for object: Any?, _ bindings: [String: Any]) -> Any? {
    let context = NSMutableDictionary()
    for (name, value) in bindings { context.setValue(value, forKey: name) }
    return expressionValue(with: object, context: context)
  }

  override var hash: Int { held.withTruthAsNumbers.hashValue }
  override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An expression before it gets its class.
private final class ExpressionDraft: NSObject {
  let held: FetchExpression
  let given: ExpressionSource

  init(_ held: FetchExpression, _ given: ExpressionSource) {
    self.held = held
    self.given = given
  }
}

extension FetchExpression {
  /// A fetch refuses the expression itself.
  var isRefused: Bool { if case .refused = self { true } else { false } }
}

@available(*, deprecated)
extension NSExpression {
  /// Makes the expression of one of Sporades.
  public convenience init(_ expression: FetchExpression) { self.init(expression, .content) }

  /// Makes the expression of one of Sporades and of what a program gave.
  convenience init(_ expression: FetchExpression, _ source: ExpressionSource) {
    guard let own = ConditionExpression.make(expression, source) as? Self else {
      trap("NSExpression has no subclasses here, and \(Self.self) is one.")
    }
    self.init(made: own)
  }

  /// The expression, for requests of Sporades. A request refuses one that was made with a block.
  public var content: FetchExpression { own.held }

  /// What a program gave.
  var source: ExpressionSource { own.given }

  var own: ConditionExpression {
    guard let own = self as? ConditionExpression else {
      trap(
        "An NSExpression is made by one of its initializers, and \(type(of: self)) was made otherwise."
      )
    }
    return own
  }
}
