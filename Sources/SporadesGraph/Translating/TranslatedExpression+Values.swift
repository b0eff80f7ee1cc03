// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

extension PredicateExpressions.Variable: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .expression(try translation.value(of: key))
  }
}

extension PredicateExpressions.Value: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .expression(.constant(converting: value))
  }
}

extension PredicateExpressions.NilLiteral: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part { .expression(.constant(.null)) }
}

// MARK: - Key paths

extension PredicateExpressions.KeyPath: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    switch try translation.part(root) {
    case .expression(let object):
      if let text = try translateText(object) { return text }
      if let members = try translateMembers(object) { return members }
      return .expression(try translateName(object))
    case .members(let path, let filter):
      let number = FetchExpression.collection(
        FetchCollection(path, where: filter, asking: .count))
      return try translateCount(number, "filter")
    case .units(let text) where (keyPath as AnyKeyPath) == \String.UTF16View.count:
      return .expression(.function(.length, [text]))
    default: throw PredicateTranslation.unsupported("this member")
    }
  }

  /// A member of a text.
  private func translateText(
    _ text: FetchExpression
  ) throws(FetchPredicateError) -> PredicateTranslation.Part? {
    guard Root.Output.self == String.self else { return nil }
    if (keyPath as AnyKeyPath) == \String.utf16 { return .units(text) }
    guard kind == .collectionIsEmpty else {
      throw PredicateTranslation.unsupported(
        "this member of a text", " Write utf16.count for the length of a text.")
    }
    return .condition(.comparison(.init(text, .equal, .constant(""))))
  }

  /// The number, the first or the last of the members of a relationship.
  private func translateMembers(
    _ members: FetchExpression
  ) throws(FetchPredicateError) -> PredicateTranslation.Part? {
    guard Root.Output.self is any MemberCollection.Type, case .keyPath(let path) = members else {
      return nil
    }
    switch kind {
    case .collectionFirst: return .expression(.element(path, at: .first, then: []))
    case .bidirectionalCollectionLast: return .expression(.element(path, at: .last, then: []))
    default: return try translateCount(.count(path), "the members")
    }
  }

  private func translateCount(
    _ number: FetchExpression, _ owner: String
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    switch kind {
    case .collectionCount: return .expression(number)
    case .collectionIsEmpty:
      return .condition(.comparison(.init(number, .equal, .constant(.integer(0)))))
    default: throw PredicateTranslation.unsupported("this member of \(owner)")
    }
  }

  /// A property of an object or of a composite.
  private func translateName(
    _ object: FetchExpression
  ) throws(FetchPredicateError) -> FetchExpression {
    let names: [String]
    if let type = Root.Output.self as? any IdentifiedObject.Type {
      names = try type.names(of: keyPath)
    } else if let type = Root.Output.self as? any CompositeAttribute.Type,
      let element = type.elementKeyPaths.first(where: { $0.direct == keyPath })
    {
      names = [element.name]
    } else {
      throw PredicateTranslation.unsupported(
        "a member of \(Root.Output.self)",
        Root.Output.self is any Decodable.Type
          ? " An attribute of a Codable type is stored as one value. Mark the struct @Composite in its place, and its members "
            + "are stored by themselves; or filter the objects that the fetch returns." : "")
    }
    return try object.following(names)
  }
}

extension IdentifiedObject {
  /// The names of a key path that begins at the class.
  fileprivate static func names(
    of keyPath: AnyKeyPath
  ) throws(FetchPredicateError) -> [String] {
    guard let keyPath = keyPath as? PartialKeyPath<Self> else {
      throw PredicateTranslation.unsupported("this key path")
    }
    let path = try KeyPathNames.path(of: keyPath)
    guard path.member == nil || path.member == .id else {
      return try KeyPathNames.names(of: keyPath)
    }
    return path.names
  }
}

extension FetchExpression {
  /// The value behind more names.
  fileprivate func following(_ names: [String]) throws(FetchPredicateError) -> FetchExpression {
    guard !names.isEmpty else { return self }
    switch self {
    case .subject: return .keyPath(names)
    case .keyPath(let path): return .keyPath(path + names)
    case .variable(let name): return .keyPath(["$\(name)"] + names)
    case .element(let path, let place, let rest):
      return .element(path, at: place, then: rest + names)
    default: throw PredicateTranslation.unsupported("a property of a computed object")
    }
  }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let value = try translation.expression(wrapped)
    translation.bind(variable.key, to: value)
    switch try translation.part(transform) {
    case .condition(let condition):
      return .optional(
        condition, presence: .comparison(.init(value, .notEqual, .constant(.null))))
    case let part: return part
    }
  }
}

extension PredicateExpressions.NilCoalesce: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    switch try translation.part(lhs) {
    case .optional(let condition, let presence):
      return .condition(
        (presence && condition) || (.not(presence) && (try translation.condition(rhs))))
    case .expression(let value):
      return .expression(
        .conditional(
          .comparison(.init(value, .notEqual, .constant(.null))), value,
          try translation.expression(rhs)))
    default: throw PredicateTranslation.unsupported("this use of ??")
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part { try translation.part(inner) }
}
