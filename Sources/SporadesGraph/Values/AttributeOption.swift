// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

/// What `@Attribute(…)` says of an attribute beyond its type.
public struct AttributeOption: Sendable {
  /// The option as it is written, for messages.
  let name: String
  let change: @Sendable (inout AttributeDescription) -> Void
  /// The types of attributes it means something for; nil where the model checks that itself.
  private let types: Set<AttributeType>?
  var isUnique = false
  var isIndexed = false
  /// Why the option itself is wrong.
  private(set) var mistake: ModelError.Problem?

  private init(
    _ name: String, for types: Set<AttributeType>? = nil,
    _ change: @escaping @Sendable (inout AttributeDescription) -> Void = { _ in }
  ) {
    self.name = name
    self.types = types
    self.change = change
  }

  /// Why an attribute of the type can not have the option.
  func objection(to type: AttributeType) -> ModelError.Problem? {
    if let mistake { return mistake }
    guard let types, !types.contains(type) else { return nil }
    return .init(
      .misplacedOption,
      "is marked \(name), which means nothing for an attribute of type \(type); remove it.")
  }

  /// No two objects of the entity may have the same value.
  public static let unique: AttributeOption = {
    var option = AttributeOption(".unique")
    option.isUnique = true
    return option
  }()
  /// The store keeps an index over the attribute.
  public static let indexed: AttributeOption = {
    var option = AttributeOption(".indexed")
    option.isIndexed = true
    return option
  }()
  /// Large values may be kept in files beside the store.
  public static let externalStorage = AttributeOption(
    ".externalStorage", for: [.binary, .transformable]
  ) {
    $0.allowsExternalBinaryDataStorage = true
  }
  public static let preservesValueOnDeletion = AttributeOption(".preservesValueOnDeletion") {
    $0.preservesValueInHistoryOnDeletion = true
  }
  public static let spotlight = AttributeOption(".spotlight") { $0.isIndexedBySpotlight = true }

  /// The attribute had another name in the model before.
  public static func renamed(from name: String) -> AttributeOption {
    AttributeOption(".renamed") { $0.renamingIdentifier = name }
  }
  /// The transformer that was registered under the name makes the bytes of the value.
  public static func transformer(named name: String) -> AttributeOption {
    AttributeOption(".transformer", for: [.transformable]) { $0.valueTransformerName = name }
  }
  public static func hashModifier(_ modifier: String) -> AttributeOption {
    AttributeOption(".hashModifier") { $0.versionHashModifier = modifier }
  }
  public static func minimum(_ value: some ValueConvertible & Sendable) -> AttributeOption {
    AttributeOption(".minimum") { $0.validation.minimum = $0.type.bound(value.value) }
  }
  public static func maximum(_ value: some ValueConvertible & Sendable) -> AttributeOption {
    AttributeOption(".maximum") { $0.validation.maximum = $0.type.bound(value.value) }
  }
  public static func range<Bound: ValueConvertible & Sendable>(
    _ range: ClosedRange<Bound>
  ) -> AttributeOption {
    AttributeOption(".range") {
      $0.validation.minimum = $0.type.bound(range.lowerBound.value)
      $0.validation.maximum = $0.type.bound(range.upperBound.value)
    }
  }
  /// The number of characters a text may have.
  public static func length(_ range: ClosedRange<Int>) -> AttributeOption {
    AttributeOption(".length") {
      $0.validation.minimumLength = range.lowerBound
      $0.validation.maximumLength = range.upperBound
    }
  }
  /// A regular expression the whole text must match.
  public static func pattern(_ expression: String) -> AttributeOption {
    AttributeOption(".pattern") { $0.validation.pattern = expression }
  }
  /// A predicate in the format language that must hold where there is a value: `SELF` is the value,
  /// names are properties of the object. One that can not be read, or does not fit the entity, is
  /// refused when the model is made.
  public static func satisfies(_ format: String) -> AttributeOption {
    do {
      let predicate = try FetchPredicate(format: format)
      return AttributeOption(".satisfies") { $0.validation.predicates.append(predicate) }
    } catch {
      var option = AttributeOption(".satisfies")
      option.mistake = .init(
        .invalidPredicate, "is to satisfy \"\(format)\", which can not be read. \(error)")
      return option
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
