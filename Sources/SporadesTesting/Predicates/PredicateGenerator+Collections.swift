// SPDX-License-Identifier: MIT
import SporadesModel

// Subqueries, operators of collections, and collections put together.
extension PredicateGenerator {
  mutating func makeCollectionComparison() -> FetchPredicate {
    guard let path = makeToManyPath() else { return makeDirect() }
    if random.once(in: 5) { return makeCombined(path) }
    var collection = FetchCollection(path)
    if !random.once(in: 4) { collection.filter = makeFilter(path) }
    // Without a condition and an operator, another expression says the same.
    collection.union = random.pick(
      collection.filter == nil ? [.present, .distinct] : [.all, .all, .present, .distinct])
    return ask(collection, entity(at: path))
  }

  /// Makes the condition of a subquery, which sees the objects around it.
  private mutating func makeFilter(_ path: [String]) -> FetchCollection.Filter {
    let variable = "v\(starts.count)"
    starts.append((["$\(variable)"], entity(at: path)))
    let condition = next(depth: starts.count < 4 ? 1 : 0)
    starts.removeLast()
    return .init(variable, condition)
  }

  private mutating func ask(
    _ collection: FetchCollection, _ member: EntityShape
  ) -> FetchPredicate {
    var collection = collection
    let values = member.attributes.filter {
      $0.slot != nil && [.integer16, .integer64, .string, .double, .date].contains($0.type)
    }
    guard !random.once(in: 3), !values.isEmpty else {
      collection.question = .count
      return .comparison(
        .init(
          .collection(collection), random.pick([.equal, .greater, .lessOrEqual, .notEqual, .less]),
          .constant(.integer(Int64.random(in: 0...3, using: &random)))))
    }
    let value = random.pick(values)
    collection.values = [value.name]
    let isNumber = value.type != .string && value.type != .date
    switch Int.random(in: 0..<4, using: &random) {
    case 0: collection.question = .count
    case 1:
      collection.question = .aggregate(
        isNumber ? random.pick([.sum, .average, .min, .max]) : random.pick([.min, .max]))
    default: return askMembers(collection, value.type)
    }
    let type = collection.question == .count ? .integer64 : value.type
    return .comparison(
      .init(
        .collection(collection), random.pick([.equal, .notEqual, .less, .greaterOrEqual]),
        .constant(makeConstant(type))))
  }

  private mutating func askMembers(
    _ collection: FetchCollection, _ type: AttributeType
  ) -> FetchPredicate {
    let options: FetchPredicate.TextOptions =
      type == .string ? random.pick([[], .caseInsensitive, .diacriticInsensitive]) : []
    if random.once(in: 3) {
      return .comparison(
        .init(.constant(makeConstant(type)), .isIn, .collection(collection), options: options))
    }
    return .comparison(
      .init(
        .collection(collection), random.pick([.equal, .notEqual, .less, .greaterOrEqual]),
        .constant(makeConstant(type)), quantifier: random.pick([.any, .all]), options: options))
  }

  /// Makes a comparison with two collections of texts or numbers.
  private mutating func makeCombined(_ path: [String]) -> FetchPredicate {
    let attributes = entity(at: path).attributes.filter {
      $0.slot != nil && [.integer16, .integer64, .string, .double, .date].contains($0.type)
    }
    guard !attributes.isEmpty else { return makeDirect() }
    let attribute = random.pick(attributes)
    let list = FetchExpression.constant(
      .list((0..<3).map { _ in makeConstant(attribute.type) }))
    let combined = FetchExpression.combined(
      random.pick(SetOperator.allCases), .keyPath(path + [attribute.name]), list)
    return .comparison(.init(.constant(makeConstant(attribute.type)), .isIn, combined))
  }
}
