// SPDX-License-Identifier: MIT

/// A predicate that is checked against the model and ready for many subjects.
package indirect enum PreparedPredicate {
  case constant(Bool)
  case comparison(Comparison)
  case not(PreparedPredicate)
  case and([PreparedPredicate])
  case or([PreparedPredicate])
  case open(Open)

  package struct Comparison {
    package let left: Term
    package let comparator: FetchPredicate.Comparator
    package let right: Term
    package let quantifier: FetchPredicate.Quantifier
    package let options: FetchPredicate.TextOptions
    /// The options by which the evaluator folds operands. A pattern folds its text itself.
    package let folding: FetchPredicate.TextOptions
    /// The compiled right side of `LIKE` or `MATCHES`, if the right side is a constant.
    let pattern: TextPattern?

    /// The path of a comparison with nil, if its value may lie in a file; nil for other comparisons.
    ///
    /// The evaluator answers such a comparison without reading the file.
    var nullTest: Path? {
      guard quantifier == .direct, comparator == .equal || comparator == .notEqual else {
        return nil
      }
      switch (left, right) {
      case (.path(let path), .constant(.null)), (.constant(.null), .path(let path)):
        return !path.shape.isToMany && path.shape.isLarge ? path : nil
      default: return nil
      }
    }
  }

  /// A condition that the format language does not have.
  package struct Open {
    package let meaning: any ConditionMeaning
    package let operands: [Term]
  }

  /// The object at which a key path begins.
  package enum Start: Hashable, Sendable {
    /// The fetched object.
    case subject
    /// The member that the variable of a subquery stands for. Outer subqueries have smaller numbers.
    case member(Int)
  }

  /// A key path and its beginning.
  package struct Path {
    package let start: Start
    package let shape: KeyPathShape
  }

  /// One side of a comparison.
  package indirect enum Term {
    /// A value whose text is folded already.
    case constant(Value)
    case path(Path)
    case subject(Start)
    case list([Term])
    case count(Path)
    case aggregate(AggregateFunction, Path)
    case arithmetic(ArithmeticOperator, Term, Term, onDates: Bool)
    case function(FetchFunction, [Term])
    case conditional(PreparedPredicate, Term, Term, isText: Bool)
    case cast(Term, from: Kind, to: CastType)
    /// A number as a double.
    case real(Term)
    case element(Element)
    case collection(Collection)
    case combined(SetOperator, Term, Term)
  }

  /// One member of an ordered relationship.
  package struct Element {
    package let start: Start
    /// The steps to the members. The last step is the ordered relationship.
    package let steps: [RelationshipShape]
    /// The entity of the members.
    package let member: EntityShape
    package let place: ElementPlace
    /// The key path from the member; nil for the member itself.
    package let values: KeyPathShape?
  }

  /// Members of a relationship that a condition or an operator selects.
  package struct Collection {
    package let start: Start
    /// The steps to the members.
    package let steps: [RelationshipShape]
    /// The entity of the members.
    package let member: EntityShape
    package let condition: PreparedPredicate?
    /// The key path from a member to its value; nil for the member itself.
    package let values: KeyPathShape?
    /// A value that is computed of each member.
    package let computed: Term?
    package let union: FetchCollection.Union
    package let question: FetchCollection.Question
  }
}

extension PreparedPredicate.Term {
  /// The term is a list that is written in the predicate.
  package var isList: Bool {
    switch self {
    case .list, .constant(.list): true
    default: false
    }
  }

  /// The term leads to many values.
  package var isMany: Bool {
    switch self {
    case .path(let path): path.shape.isToMany
    case .collection(let collection): collection.question == .members
    case .combined: true
    default: false
    }
  }

  /// The values are texts, which a comparison folds.
  package var isText: Bool {
    func isText(_ type: AttributeType?) -> Bool { type == .string || type == .uri }
    switch self {
    case .constant(let value): return ValueOrder.text(value) != nil
    case .path(let path), .aggregate(_, let path): return isText(path.shape.attribute?.type)
    case .function(let function, let arguments): return function.isText(arguments)
    case .conditional(_, _, _, let isText): return isText
    case .cast(_, _, let type): return type == .text
    case .element(let element): return isText(element.values?.attribute?.type)
    case .collection(let collection):
      return collection.question != .count
        && (collection.computed?.isText ?? isText(collection.values?.attribute?.type))
    case .list, .subject, .count, .arithmetic, .real, .combined: return false
    }
  }

  /// The key path of the term, for messages.
  var name: String? {
    switch self {
    case .path(let path), .count(let path), .aggregate(_, let path):
      path.shape.names.joined(separator: ".")
    case .element(let element):
      (element.steps.map(\.name) + (element.values?.names ?? [])).joined(separator: ".")
    case .collection(let collection):
      (collection.steps.map(\.name) + (collection.values?.names ?? [])).joined(separator: ".")
    case .subject: "SELF"
    case .constant, .list, .arithmetic, .function, .conditional, .cast, .real, .combined: nil
    }
  }

  /// The term with folded text in its constants.
  func folded(_ options: FetchPredicate.TextOptions) -> PreparedPredicate.Term {
    switch self {
    case .constant(let value): .constant(value.folded(options))
    case .list(let items): .list(items.map { $0.folded(options) })
    default: self
    }
  }
}

extension FetchFunction {
  fileprivate func isText(_ arguments: [PreparedPredicate.Term]) -> Bool {
    switch self {
    case .lowercase, .uppercase, .canonical, .trim, .prefix, .suffix, .substring, .replace, .concat:
      true
    case .withoutIndex, .min, .max:
      arguments.contains { argument in
        if case .list(let items) = argument { return items.contains(where: \.isText) }
        if case .constant(.list(let items)) = argument {
          return items.contains { ValueOrder.text($0) != nil }
        }
        return argument.isText
      }
    default: false
    }
  }
}
