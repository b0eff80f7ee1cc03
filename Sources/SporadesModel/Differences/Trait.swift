// SPDX-License-Identifier: MIT

/// A part of a description that can differ between two versions: its name, its value as text, and a way to
/// take it from one version into another.
struct Trait<Description> {
  let name: String
  let spell: (Description) -> String
  private let areEqual: (Description, Description) -> Bool
  private let copy: (Description, inout Description) -> Void

  init<Value: Equatable>(
    _ name: String, _ path: WritableKeyPath<Description, Value>,
    _ spell: @escaping (Value) -> String
  ) {
    self.name = name
    self.spell = { spell($0[keyPath: path]) }
    areEqual = { $0[keyPath: path] == $1[keyPath: path] }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  /// The difference of the trait between two versions. `hash` is what the version hash of a store has of a
  /// description.
  func difference(
    _ old: Description, _ new: Description, hash: (Description) -> [UInt8]?
  ) -> TraitDifference? {
    guard !areEqual(old, new) else { return nil }
    var changed = old
    copy(new, &changed)
    return TraitDifference(
      trait: name, old: spell(old), new: spell(new), changesVersionHash: hash(old) != hash(changed))
  }
}

/// The texts of values.
enum TraitText {
  static func flag(_ flag: Bool) -> String { flag ? "yes" : "no" }
  static func value(_ value: Value) -> String { value.isNull ? "none" : value.debugDescription }
  static func count(_ count: Int?) -> String { count.map { "\($0)" } ?? "none" }
  static func text(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }
  static func name(_ name: String?) -> String { name ?? "none" }

  static func notes(_ notes: [String: String]) -> String {
    list(notes.inOrder.map { "\($0.key) = \($0.value.debugDescription)" })
  }

  static func list(_ items: [String]) -> String {
    items.isEmpty ? "none" : items.joined(separator: ", ")
  }
}

extension Trait<AttributeDescription> {
  static var all: [Self] {
    [
      .init("type", \.type, \.spelling),
      .init("optional mark", \.isOptional, TraitText.flag),
      .init("transient mark", \.isTransient, TraitText.flag),
      .init("derivation", \.derivationExpression, TraitText.text),
      .init("composite", \.elements) { elements in
        TraitText.list(elements.map { "\($0.name) \($0.hashedSpelling)" })
      },
      .init("external storage mark", \.allowsExternalBinaryDataStorage, TraitText.flag),
      .init("mark for histories", \.preservesValueInHistoryOnDeletion, TraitText.flag),
      .init("hash modifier", \.versionHashModifier, TraitText.text),
      .init("default", \.defaultValue, TraitText.value),
      .init("minimum", \.validation.minimum, TraitText.value),
      .init("maximum", \.validation.maximum, TraitText.value),
      .init("least length", \.validation.minimumLength, TraitText.count),
      .init("greatest length", \.validation.maximumLength, TraitText.count),
      .init("pattern", \.validation.pattern, TraitText.text),
      .init("list of validation predicates", \.validation.predicates) { predicates in
        TraitText.list(predicates.map(\.predicateFormat))
      },
      .init("Spotlight mark", \.isIndexedBySpotlight, TraitText.flag),
      .init("transformer", \.valueTransformerName, TraitText.name),
      .init("value class", \.attributeValueClassName, TraitText.name),
      .init("renaming identifier", \.renamingIdentifier, TraitText.name),
      .init("user info", \.userInfo, TraitText.notes),
    ]
  }
}

extension Trait<RelationshipDescription> {
  static var all: [Self] {
    [
      .init("destination", \.destinationEntityName) { $0 },
      .init("inverse", \.inverseName, TraitText.name),
      .init("unanswered inverse", \.unansweredInverseName, TraitText.name),
      .init("optional mark", \.isOptional, TraitText.flag),
      .init("transient mark", \.isTransient, TraitText.flag),
      .init("order", \.isOrdered, TraitText.flag),
      .init("least count", \.minCount) { "\($0)" },
      .init("greatest count", \.maxCount) { $0 > 0 ? "\($0)" : "none" },
      .init("hash modifier", \.versionHashModifier, TraitText.text),
      .init("delete rule", \.deleteRule) { "\($0)" },
      .init("renaming identifier", \.renamingIdentifier, TraitText.name),
      .init("user info", \.userInfo, TraitText.notes),
    ]
  }
}

extension Trait<FetchedPropertyDescription> {
  static var all: [Self] {
    [
      .init("optional mark", \.isOptional, TraitText.flag),
      .init("request", \.request, \.spelling),
      .init("user info", \.userInfo, TraitText.notes),
    ]
  }
}

extension Trait<EntityDescription> {
  static var all: [Self] {
    [
      .init("abstract mark", \.isAbstract, TraitText.flag),
      .init("superentity", \.superentityName, TraitText.name),
      .init("list of uniqueness constraints", \.sortedConstraints) { groups in
        TraitText.list(groups.map { "(\($0.joined(separator: ", ")))" })
      },
      .init("list of constraints for the hash alone", \.unenforcedConstraints) { groups in
        TraitText.list(groups.map { "(\($0.joined(separator: ", ")))" })
      },
      .init("hash modifier", \.versionHashModifier, TraitText.text),
      .init("class", \.managedObjectClassName, TraitText.name),
      .init("list of indexes", \.sortedIndexes) { TraitText.list($0.map(\.spelling)) },
      .init("renaming identifier", \.renamingIdentifier, TraitText.name),
      .init("user info", \.userInfo, TraitText.notes),
    ]
  }
}

extension EntityDescription {
  // Neither order means anything.
  fileprivate var sortedConstraints: [[String]] {
    get {
      uniquenessConstraints.inByteOrder { $0.joined(separator: ".") }
    }
    set { uniquenessConstraints = newValue }
  }

  fileprivate var sortedIndexes: [FetchIndexDescription] {
    get { indexes.inByteOrder { $0.name } }
    set { indexes = newValue }
  }
}

extension FetchIndexDescription {
  fileprivate var spelling: String {
    let parts = elements.map { element in
      element.property + (element.isAscending ? "" : " descending")
        + (element.collation == .rTree ? " in an R-tree" : "")
    }
    let condition = partialIndexPredicate.map { " where \($0)" } ?? ""
    return "\(name)(\(parts.joined(separator: ", ")))\(condition)"
  }
}

extension FetchRequest {
  /// The request as text. Two requests with one text may differ in options that the text leaves out.
  var spelling: String {
    let condition = predicate.map { " where \($0)" } ?? ""
    let order = sortTerms.map { term in
      term.spelling + (term.collation.map { "[\($0.comparison.rawValue)]" } ?? "")
        + (term.ascending ? "" : " descending")
    }
    let sorted = order.isEmpty ? "" : " by \(order.joined(separator: ", "))"
    let limit = fetchLimit.map { ", at most \($0)" } ?? ""
    return "\(entityName)\(condition)\(sorted)\(limit)"
  }
}
