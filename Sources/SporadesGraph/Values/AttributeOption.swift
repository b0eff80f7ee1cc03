// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

/// An option of `@Attribute(…)`: a rule for an attribute beyond its type.
public struct AttributeOption: Sendable {
  /// The option as the source code spells it, for messages.
  let name: String
  let change: @Sendable (inout AttributeDescription) -> Void
  /// The types of attributes that the option fits; nil if the model checks that itself.
  private let types: Set<AttributeType>?
  var isUnique = false
  var isIndexed = false
  /// A mistake in the option itself; nil if there is none.
  private(set) var mistake: ModelError.Problem?

  private init(
    _ name: String, for types: Set<AttributeType>? = nil,
    _ change: @escaping @Sendable (inout AttributeDescription) -> Void = { _ in }
  ) {
    self.name = name
    self.types = types
    self.change = change
  }

  /// Makes an option of another module: notes in the attribute's user info, which the module reads there. They are no part of
  /// the attribute's version hash. Messages name the option as `name` spells it.
  public init(
    _ name: String, notes: [String: String], for types: Set<AttributeType>? = nil
  ) {
    self.init(name, for: types) { $0.userInfo.merge(notes) { $1 } }
  }

  /// Makes an option that the model refuses, because the option itself has a mistake. The problem's sentence goes on after the
  /// attribute's name. Messages name the option as `name` spells it.
  public init(_ name: String, mistake: ModelError.Problem) {
    self.init(name)
    self.mistake = mistake
  }

  /// The reason why an attribute of the type can not have the option; nil if it can.
  func objection(to type: AttributeType) -> ModelError.Problem? {
    if let mistake { return mistake }
    guard let types, !types.contains(type) else { return nil }
    return .init(
      .misplacedOption,
      "is marked \(name), which has no meaning for an attribute of type \(type); remove it.")
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
  /// The store may keep large values in files beside it.
  public static let externalStorage = AttributeOption(
    ".externalStorage", for: [.binary, .transformable]
  ) {
    $0.allowsExternalBinaryDataStorage = true
  }
  /// The store's history keeps the value after a deletion.
  public static let preservesValueOnDeletion = AttributeOption(".preservesValueOnDeletion") {
    $0.preservesValueInHistoryOnDeletion = true
  }
  /// Marks the attribute for Spotlight. Sporades keeps the mark in the model and makes no other use
  /// of it.
  public static let spotlight = AttributeOption(".spotlight") { $0.isIndexedBySpotlight = true }

  /// The attribute had another name in an earlier version of the model.
  public static func renamed(from name: String) -> AttributeOption {
    AttributeOption(".renamed") { $0.renamingIdentifier = name }
  }
  /// The transformer with the registered name converts the value to bytes and back.
  public static func transformer(named name: String) -> AttributeOption {
    AttributeOption(".transformer", for: [.transformable]) { $0.valueTransformerName = name }
  }
  /// The name of the class that a transformable attribute's objects have on Apple's platforms. Sporades only keeps
  /// it.
  public static func valueClass(named name: String) -> AttributeOption {
    AttributeOption(".valueClass", for: [.transformable]) { $0.attributeValueClassName = name }
  }
  /// Notes of the model's author, which the library keeps and does not read.
  public static func userInfo(_ notes: [String: String]) -> AttributeOption {
    AttributeOption(".userInfo", notes: notes)
  }
  /// The modifier changes the attribute's version hash.
  public static func hashModifier(_ modifier: String) -> AttributeOption {
    AttributeOption(".hashModifier") { $0.versionHashModifier = modifier }
  }
  /// The least valid value.
  public static func minimum(_ value: some ValueConvertible & Sendable) -> AttributeOption {
    AttributeOption(".minimum") { $0.validation.minimum = $0.type.bound(value.value) }
  }
  /// The greatest valid value.
  public static func maximum(_ value: some ValueConvertible & Sendable) -> AttributeOption {
    AttributeOption(".maximum") { $0.validation.maximum = $0.type.bound(value.value) }
  }
  /// The range of valid values: `0...100`, `0...`, or `..<100` for whole numbers.
  public static func range<Bounds: RangeExpression & Sendable>(_ range: Bounds) -> AttributeOption
  where Bounds.Bound: ValueConvertible {
    guard let (lower, upper) = range.closedBounds else { return unclosed(".range", range) }
    return AttributeOption(".range") {
      if let lower { $0.validation.minimum = $0.type.bound(lower) }
      if let upper { $0.validation.maximum = $0.type.bound(upper) }
    }
  }
  /// The valid lengths of a text, counted in UTF-16 as Core Data does: `1...40`, `1...` or `...40`.
  public static func length<Bounds: RangeExpression<Int> & Sendable>(
    _ range: Bounds
  ) -> AttributeOption {
    guard let (lower, upper) = range.closedBounds else { return unclosed(".length", range) }
    return AttributeOption(".length") {
      if let lower { $0.validation.minimumLength = lower.integer.flatMap(Int.init(exactly:)) }
      if let upper { $0.validation.maximumLength = upper.integer.flatMap(Int.init(exactly:)) }
    }
  }
  /// An option whose range has no last value.
  private static func unclosed(_ name: String, _ range: some RangeExpression) -> AttributeOption {
    let problem =
      "has the range \(range), which names no last value; write a closed range, as in 0...100."
    return AttributeOption(name, mistake: .init(.invalidBounds, problem))
  }
  /// A regular expression that the whole text must match.
  public static func pattern(_ expression: String) -> AttributeOption {
    AttributeOption(".pattern") { $0.validation.pattern = expression }
  }
  /// A predicate, in the format language, that every value must satisfy. `SELF` is the value, and
  /// names are properties of the object. The model refuses a predicate that can not be parsed or
  /// does not fit the entity.
  public static func satisfies(_ format: String) -> AttributeOption {
    do {
      let predicate = try FetchPredicate(format: format)
      return AttributeOption(".satisfies") { $0.validation.predicates.append(predicate) }
    } catch {
      let problem = "is to satisfy \"\(format)\", which can not be read. \(error)"
      return AttributeOption(".satisfies", mistake: .init(.invalidPredicate, problem))
    }
  }
}

extension AttributeType {
  /// Converts a bound to the attribute's type. A whole number can bound an attribute of any numeric
  /// type.
  fileprivate func bound(_ value: Value) -> Value {
    switch (self, value) {
    case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    default: value
    }
  }
}
