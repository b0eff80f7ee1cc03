// SPDX-License-Identifier: MIT

/// A predicate whose names were found and whose operands fit, ready to be asked of many subjects.
indirect enum PreparedPredicate {
  case constant(Bool)
  case comparison(Comparison)
  case not(PreparedPredicate)
  case and([PreparedPredicate])
  case or([PreparedPredicate])

  struct Comparison {
    let left: Term
    let comparator: FetchPredicate.Comparator
    let right: Term
    let quantifier: FetchPredicate.Quantifier
    let options: FetchPredicate.TextOptions
    /// What operands are folded with; patterns do that themselves.
    let folding: FetchPredicate.TextOptions
    /// What the right side of `LIKE` or `MATCHES` says, where it is known beforehand.
    let pattern: TextPattern?

    /// The path to a value that may lie in a file, of which only is asked whether it is there; nil where
    /// more is asked, or the value is at hand.
    var nullTest: KeyPathShape? {
      guard quantifier == .direct, comparator == .equal || comparator == .notEqual else {
        return nil
      }
      switch (left, right) {
      case (.path(let path), .constant(.null)), (.constant(.null), .path(let path)):
        return !path.isToMany && path.isLarge ? path : nil
      default: return nil
      }
    }
  }

  /// One side of a comparison.
  indirect enum Term {
    /// Text in it is folded already.
    case constant(Value)
    case path(KeyPathShape)
    case subject
    case list([Term])
    case count(KeyPathShape)
    case aggregate(AggregateFunction, KeyPathShape)
    case arithmetic(ArithmeticOperator, Term, Term)
  }
}

extension PreparedPredicate.Term {
  /// What can be compared with what: only terms of one kind, and nil with all of them.
  enum Kind: Hashable {
    case number, text, date, data, uuid
    /// Objects of the inheritance tree with that root.
    case object(root: Int)
    case null
    /// Values no store understands; they can only be nil or not.
    case opaque
    case list

    /// What a sentence calls a value of the kind.
    var words: String {
      switch self {
      case .number: "a number"
      case .text: "text"
      case .date: "a date"
      case .data: "data"
      case .uuid: "a UUID"
      case .object: "an object"
      case .null: "nil"
      case .opaque: "a value that is equal to nil alone"
      case .list: "a list"
      }
    }

    init(_ type: AttributeType) {
      self =
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
        case .string, .uri: .text
        case .date: .date
        case .binary: .data
        case .uuid: .uuid
        case .transformable, .undefined, .objectID, .composite: .opaque
        }
    }

    init(_ value: Value, _ model: ManagedObjectModel) {
      self =
        switch value {
        case .null: .null
        case .boolean, .integer, .double, .decimal: .number
        case .string, .url: .text
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .list: .list
        case .objectID(let id):
          (1...model.shapes.count).contains(id.key.entity)
            ? .object(root: model.shape(numbered: id.key.entity).rootNumber) : .opaque
        }
    }

    var hasOrder: Bool {
      switch self {
      case .number, .text, .date, .data, .uuid, .null: true
      case .object, .opaque, .list: false
      }
    }

    func isComparable(with other: Kind) -> Bool {
      if self == .null || other == .null { return self != .list && other != .list }
      return self == other && self != .opaque && self != .list
    }
  }
}
