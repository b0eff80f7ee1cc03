// SPDX-License-Identifier: MIT

/// An aggregate over one attribute of fetched objects, whose names were found in the model and whose
/// function fits the attribute.
///
/// `min` and `max` are of everything that has an order: numbers, texts, dates, UUIDs, data. `sum` is
/// of numbers, `average` of numbers and dates. Every context and store asks here, so all of them
/// refuse the same aggregates.
public struct AggregateShape: Sendable {
  public let function: AggregateFunction
  public let path: KeyPathShape
  public let attribute: AttributeShape

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
        .notAnAttribute, "\(name) is a relationship; aggregate an attribute it leads to.")
    }
    try function.check(attribute, name)
    self.function = function
    self.path = path
    self.attribute = attribute
  }

  /// The type of the answer.
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
  /// Refuses an attribute the function has no meaning for.
  func check(_ attribute: AttributeShape, _ name: String) throws(FetchPredicateError) {
    let kind = PreparedPredicate.Term.Kind(attribute.type)
    guard accepts(kind) else {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), which is \(kind.words). \(Self.meaning)")
    }
    if attribute.description.isLarge {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(rawValue) of \(name), whose values may lie in files outside the store.")
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
    "min and max are of what has an order, sum of numbers, average of numbers and dates."
}
