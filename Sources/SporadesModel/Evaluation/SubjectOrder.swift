// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The order of subjects of one entity by sort terms.
///
/// Nil is smaller than all values, unless a term places it. Texts compare by the bytes of their folded form. If two
/// subjects are equal by one term, the next term decides. The caller decides the order of subjects that are equal by
/// all terms.
public struct SubjectOrder {
  private struct Step {
    let term: SortTerm
    /// Nil for a random order.
    let shape: ExpressionShape?
    /// The rules of a language, if the term names one.
    let collator: (any TextCollator)?
  }
  private let steps: [Step]

  /// Finds the names of the terms, and refuses a term that does not give one value with an order.
  public init(
    _ terms: [SortTerm], in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    steps = try terms.map { term throws(FetchPredicateError) in
      guard term.expression != SortTerm.random.expression else {
        return Step(term: term, shape: nil, collator: nil)
      }
      try Self.checkSpelling(term)
      let shape = try ExpressionShape(term.expression, in: entity, model)
      try Self.check(shape, term, model)
      let collator = try term.collator(ofTexts: shape.kinds.isSubset(of: [.text, .null]))
      return Step(term: term, shape: shape, collator: collator)
    }
  }

  private static func check(
    _ shape: ExpressionShape, _ term: SortTerm, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    // Objects have the order of their keys.
    guard term.expression != .subject else { return }
    if let destination = shape.destination {
      let texts = model.shape(numbered: destination).attributes.filter { $0.type == .string }
      let example = texts.first.map { ", such as \(term.spelling).\($0.name)" } ?? ""
      throw FetchPredicateError(
        .notAnAttribute,
        "\(term.spelling) is a relationship; sort by an attribute that it leads to\(example).")
    }
    guard shape.hasOrder else {
      let isEncoded = shape.path?.attribute?.type == .transformable
      throw FetchPredicateError(
        .wrongOperands,
        isEncoded
          ? "\(term.spelling) is stored as an encoding, whose bytes have no order that means something. Sort by another "
            + "attribute, make the type a @Composite and sort by a member, or sort the objects that the fetch returns."
          : "\(term.spelling) has no order; sort by numbers, texts or dates.")
    }
  }

  /// Refuses the name of a term that holds a direction, too.
  private static func checkSpelling(_ term: SortTerm) throws(FetchPredicateError) {
    guard let keyPath = term.keyPath else { return }
    let name = keyPath.joined(separator: ".")
    if let sign = keyPath.first(where: { $0.hasPrefix("@") }) {
      throw FetchPredicateError(
        .unsupported,
        "\(name) has \(sign), by which an order cannot compute. Write @count at the end, or @sum, @min, @max or @avg "
          + "and an attribute behind it: \"pets.@max.age\".")
    }
    guard let end = name.firstIndex(where: { ":, -".contains($0) }) else { return }
    let property = end > name.startIndex ? name[..<end] : name.dropFirst()
    throw FetchPredicateError(
      .unknownKeyPath,
      "\"\(name)\" is not the name of a property. Write \"\(property):NO\" where the order is a text, and "
        + "SortTerm(\"\(property)\", ascending: false) where it is a term.")
  }

  /// The order has no terms, so all subjects are equal.
  public var isEmpty: Bool { steps.isEmpty }

  /// The order draws random numbers, so that the keys of a subject differ each time.
  package var isRandom: Bool { steps.contains { $0.shape == nil } }

  /// Reads the values of a subject that the order compares, one value per term.
  public func keys<Subject: PredicateSubject>(
    of subject: Subject
  ) throws(Subject.Failure) -> [Value] where Subject.Failure: PredicateRefusal {
    var keys: [Value] = []
    keys.reserveCapacity(steps.count)
    for step in steps {
      guard let shape = step.shape else {
        keys.append(.integer(.random(in: .min ... .max)))
        continue
      }
      let value = try shape.value(of: subject)
      keys.append(step.term.key(value, step.collator))
    }
    return keys
  }

  /// Compares two subjects by their keys: negative, zero or positive.
  public func compare(_ left: [Value], _ right: [Value]) -> Int {
    for index in steps.indices {
      let order = steps[index].term.compare(left[index], right[index])
      if order != 0 { return order }
    }
    return 0
  }

  /// Compares two subjects: negative, zero or positive.
  public func compare<Subject: PredicateSubject>(
    _ left: Subject, _ right: Subject
  ) throws(Subject.Failure) -> Int where Subject.Failure: PredicateRefusal {
    compare(try keys(of: left), try keys(of: right))
  }
}

extension SortTerm {
  /// Compares two values, whose text is folded, in the direction of the term: negative, zero or positive.
  package func compare(_ left: Value, _ right: Value) -> Int {
    let (leftIsNil, rightIsNil) = (ValueOrder.isNil(left), ValueOrder.isNil(right))
    if let nils, leftIsNil != rightIsNil { return leftIsNil == (nils == .first) ? -1 : 1 }
    let order = ValueOrder.sortOrder(left, right)
    return ascending ? order : -order
  }

  /// The rules of the language that the term names. Refuses values that are no texts.
  package func collator(
    ofTexts isText: Bool
  ) throws(FetchPredicateError) -> (any TextCollator)? {
    guard let collation else { return nil }
    guard isText else {
      throw FetchPredicateError(
        .wrongOperands,
        "\(spelling) is no text, and \(collation.comparison.rawValue) orders texts. Leave it out.")
    }
    return try collation.collator()
  }

  /// The value that the term compares. The collator is the term's own.
  package func key(_ value: Value, _ collator: (any TextCollator)?) -> Value {
    collator?.key(value) ?? value.folded(options)
  }

  /// The term with the current locale if it sorts by a language and names no locale.
  package func inLocale() throws(FetchPredicateError) -> SortTerm {
    guard let collation, collation.locale == nil else { return self }
    var term = self
    term.collation = try collation.inLocale()
    return term
  }
}
