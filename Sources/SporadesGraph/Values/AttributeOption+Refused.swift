// SPDX-License-Identifier: MIT
import SporadesModel

private let refusal = "The compiler refuses this option."

// Options of other libraries. The compiler reports one sentence for each.
extension AttributeOption {
  /// Refuses a greatest length alone; ``length(_:)`` takes a range.
  @available(*, unavailable, message: "write the lengths as a range: .length(...20)")
  public static func maxLength(_ count: Int) -> AttributeOption { trap(refusal) }

  /// Refuses a least length alone; ``length(_:)`` takes a range.
  @available(*, unavailable, message: "write the lengths as a range: .length(1...)")
  public static func minLength(_ count: Int) -> AttributeOption { trap(refusal) }

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
}
