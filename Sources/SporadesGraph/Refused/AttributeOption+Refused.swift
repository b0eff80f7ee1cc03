// SPDX-License-Identifier: MIT
import SporadesModel

// Options of other libraries. The compiler reports one sentence for each.
extension AttributeOption {
  /// Refuses the option of a product without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesAudit to the target in Package.swift, and import SporadesAudit"
  )
  public static var keepsValuesInHistory: AttributeOption { trap(refusal) }

  /// Refuses a greatest length alone; ``length(_:)`` takes a range.
  @available(*, unavailable, message: "write the lengths as a range: .length(...20)")
  public static func maxLength(_ count: Int) -> AttributeOption { trap(refusal) }

  /// Refuses a least length alone; ``length(_:)`` takes a range.
  @available(*, unavailable, message: "write the lengths as a range: .length(1...)")
  public static func minLength(_ count: Int) -> AttributeOption { trap(refusal) }

  /// Refuses two bounds; ``length(_:)`` takes a range.
  @available(*, unavailable, message: "write the lengths as a range: .length(1...20)")
  public static func length(min: Int = 0, max: Int = 0) -> AttributeOption { trap(refusal) }

  /// Refuses two bounds; ``range(_:)`` takes a range.
  @available(*, unavailable, message: "write the values as a range: .range(1...100)")
  public static func range(min: Double = 0, max: Double = 0) -> AttributeOption { trap(refusal) }

  /// Refuses a greatest value alone; ``range(_:)`` takes a range.
  @available(*, unavailable, message: "write the values as a range: .range(...100)")
  public static func max(_ bound: Double) -> AttributeOption { trap(refusal) }

  /// Refuses a least value alone; ``range(_:)`` takes a range.
  @available(*, unavailable, message: "write the values as a range: .range(0...)")
  public static func min(_ bound: Double) -> AttributeOption { trap(refusal) }

  /// Refuses a mark for what the type of the property says.
  @available(
    *, unavailable,
    message: "a property whose type has no question mark is required; leave the mark out"
  )
  public static var required: AttributeOption { trap(refusal) }

  /// Refuses a default beside the property.
  @available(*, unavailable, message: "give the property its default: var count: Int = 3")
  public static func `default`<V>(_ value: V) -> AttributeOption {
    trap(refusal)
  }

  /// Refuses a mark that is a macro.
  @available(*, unavailable, message: "write @Transient in the place of @Attribute")
  public static var transient: AttributeOption { trap(refusal) }

  /// Refuses SwiftData's name of a transient property.
  @available(*, unavailable, message: "write @Transient in the place of @Attribute")
  public static var ephemeral: AttributeOption { trap(refusal) }

  /// Refuses SwiftData's name of a transformer.
  @available(*, unavailable, renamed: "transformer(named:)")
  public static func transformable(by name: String) -> AttributeOption { trap(refusal) }

  /// Refuses a key, which each object has.
  @available(
    *, unavailable,
    message:
      "each object has a key of its own, its objectID; write .unique for an attribute whose values are unique"
  )
  public static var primaryKey: AttributeOption { trap(refusal) }

  /// Refuses another spelling of a former name.
  @available(*, unavailable, renamed: "renamed(from:)")
  public static func renamedFrom(_ name: String) -> AttributeOption { trap(refusal) }

  /// Refuses an encryption, which no store has.
  @available(
    *, unavailable,
    message: "no store encrypts; encrypt the value in the program, and keep it as Data"
  )
  public static var encrypt: AttributeOption { trap(refusal) }

  /// Refuses an encryption, which no store has.
  @available(
    *, unavailable,
    message: "no store encrypts; encrypt the value in the program, and keep it as Data"
  )
  public static var allowsCloudEncryption: AttributeOption { trap(refusal) }
}
