// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

/// What `@Attribute(…)` says of an attribute beyond its type.
public struct AttributeOption: Sendable {
  let change: @Sendable (inout AttributeDescription) -> Void
  var isUnique = false
  var isIndexed = false

  private init(_ change: @escaping @Sendable (inout AttributeDescription) -> Void = { _ in }) {
    self.change = change
  }

  /// No two objects of the entity may have the same value.
  public static let unique: AttributeOption = {
    var option = AttributeOption()
    option.isUnique = true
    return option
  }()
  /// The store keeps an index over the attribute.
  public static let indexed: AttributeOption = {
    var option = AttributeOption()
    option.isIndexed = true
    return option
  }()
  /// Large values may be kept in files beside the store.
  public static let externalStorage = AttributeOption {
    $0.allowsExternalBinaryDataStorage = true
  }
  public static let preservesValueOnDeletion = AttributeOption {
    $0.preservesValueInHistoryOnDeletion = true
  }
  public static let spotlight = AttributeOption { $0.isIndexedBySpotlight = true }

  /// The attribute had another name in the model before.
  public static func renamed(from name: String) -> AttributeOption {
    AttributeOption { $0.renamingIdentifier = name }
  }
  /// The transformer that was registered under the name makes the bytes of the value.
  public static func transformer(named name: String) -> AttributeOption {
    AttributeOption { $0.valueTransformerName = name }
  }
  public static func hashModifier(_ modifier: String) -> AttributeOption {
    AttributeOption { $0.versionHashModifier = modifier }
  }
  public static func minimum(_ value: some ValueConvertible & Sendable) -> AttributeOption {
    AttributeOption { $0.validation.minimum = $0.type.bound(value.value) }
  }
  public static func maximum(_ value: some ValueConvertible & Sendable) -> AttributeOption {
    AttributeOption { $0.validation.maximum = $0.type.bound(value.value) }
  }
  public static func range<Bound: ValueConvertible & Sendable>(
    _ range: ClosedRange<Bound>
  ) -> AttributeOption {
    AttributeOption {
      $0.validation.minimum = $0.type.bound(range.lowerBound.value)
      $0.validation.maximum = $0.type.bound(range.upperBound.value)
    }
  }
  /// The number of characters a text may have.
  public static func length(_ range: ClosedRange<Int>) -> AttributeOption {
    AttributeOption {
      $0.validation.minimumLength = range.lowerBound
      $0.validation.maximumLength = range.upperBound
    }
  }
  /// A regular expression the whole text must match.
  public static func pattern(_ expression: String) -> AttributeOption {
    AttributeOption { $0.validation.pattern = expression }
  }
  /// A predicate in the format language that must hold where there is a value: `SELF` is the value,
  /// names are properties of the object.
  public static func satisfies(_ format: String) -> AttributeOption {
    do {
      let predicate = try FetchPredicate(format: format)
      return AttributeOption { $0.validation.predicates.append(predicate) }
    } catch {
      preconditionFailure("The predicate \(format) of an attribute can not be read: \(error)")
    }
  }
}

extension AttributeType {
  /// A bound as the attribute's type has it: a whole number stands for a number of any type.
  fileprivate func bound(_ value: Value) -> Value {
    switch (self, value) {
    case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    default: value
    }
  }
}
