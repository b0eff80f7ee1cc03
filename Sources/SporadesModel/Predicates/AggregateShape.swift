// SPDX-License-Identifier: MIT

/// An aggregate over one attribute of fetched objects, checked against the model.
///
/// `min` and `max` take values with an order: numbers, texts, dates, UUIDs, data. `sum` takes numbers.
/// `average` takes numbers and dates. All contexts and stores use this check, so all of them refuse the
/// same aggregates.
public struct AggregateShape: Sendable {
  /// The function that makes one value of many.
  public let function: AggregateFunction
  /// The key path from a fetched object to the attribute.
  public let path: KeyPathShape
  /// The attribute whose values the function takes.
  public let attribute: AttributeShape

  /// Finds the attribute at the end of a key path, and refuses one that does not fit the function.
  public init(
    _ function: AggregateFunction, of names: [String], in entity: EntityShape,
    _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    let path = try KeyPathShape(names, in: entity, model)
    let name = "\(entity.name).\(names.joined(separator: "."))"
    guard !path.isToMany else {
      throw FetchPredicateError(
        .needsQuantifier,
        "\(name) leads to many objects; aggregate an attribute of one object, or fetch the others.")
    }
    guard let attribute = path.attribute else {
      throw FetchPredicateError(
        .notAnAttribute, "\(name) is a relationship; aggregate an attribute that it leads to.")
    }
    try function.check(attribute, name)
    self.function = function
    self.path = path
    self.attribute = attribute
  }

  /// The type of the result.
  public var resultType: AttributeType {
    switch (function, attribute.type) {
    case (.min, _), (.max, _), (_, .decimal): attribute.type
    case (.average, .date): .date
    case (.average, _): .double
    case (.sum, .double), (.sum, .float): attribute.type
    case (.sum, _): .integer64
    }
  }
}

extension AggregateFunction {
  /// Refuses an attribute that does not fit the function.
  func check(_ attribute: AttributeShape, _ name: String) throws(FetchPredicateError) {
    let kind = PreparedPredicate.Term.Kind(attribute.type)
    guard accepts(kind) else {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), which is \(kind.phrase). \(Self.meaning)")
    }
    if attribute.description.isLarge {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), because its values may lie in files outside the store."
      )
    }
  }

  private func accepts(_ kind: PreparedPredicate.Term.Kind) -> Bool {
    switch self {
    case .min, .max: kind.hasOrder
    case .sum: kind == .number
    case .average: kind == .number || kind == .date
    }
  }

  private static let meaning =
    "min and max take values with an order, sum takes numbers, average takes numbers and dates."
}
