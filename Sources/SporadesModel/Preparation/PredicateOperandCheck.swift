// SPDX-License-Identifier: MIT

extension PredicatePreparation {
  /// Checks that the kinds of the two sides of a comparison fit its comparator.
  struct Operands {
    let left: TypedTerm
    let right: TypedTerm
    let comparator: FetchPredicate.Comparator
    let model: ManagedObjectModel

    func check() throws(FetchPredicateError) {
      guard !left.term.isList else { throw makeRefusal("A list can stand only on its right side.") }
      try refuseEncodings()
      switch comparator {
      case .equal, .notEqual:
        try checkRightIsOne()
        try checkComparable()
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        try checkRightIsOne()
        try checkComparable()
        try checkOrder()
      case .isIn: try checkMembership()
      case .between: try checkBounds()
      case .contains, .beginsWith, .endsWith, .like, .matches: try checkText()
      }
    }

    /// Refuses values of which no store understands the bytes. Whether they are nil can be asked.
    private func refuseEncodings() throws(FetchPredicateError) {
      if [.equal, .notEqual].contains(comparator),
        [left, right].contains(where: { $0.kinds == [.null] })
      {
        return
      }
      for term in [left.term, right.term] {
        if let reason = term.reasonAgainstSearch { throw makeRefusal(reason) }
      }
    }

    private func checkRightIsOne() throws(FetchPredicateError) {
      if right.term.isList { throw makeRefusal("Its right side is a list; use IN or BETWEEN.") }
    }

    private func checkComparable() throws(FetchPredicateError) {
      for mine in left.kinds {
        for other in right.kinds where !mine.isComparable(with: other) {
          throw makeRefusal(
            "Its left side is \(phrase(mine, left.term)), and its right side is \(phrase(other, right.term))."
              + (left.term.isTruth || right.term.isTruth
                ? " Write YES or NO, or pass a Bool." : Term.Kind.remedy(mine, other)))
        }
      }
    }

    /// The phrase for one side, with the entity of an object.
    private func phrase(_ kind: Term.Kind, _ term: Term) -> String {
      if term.isTruth { return "a truth value" }
      guard case .object(let root) = kind else { return kind.phrase }
      let number: Int? =
        switch term {
        case .path(let path): path.shape.relationships.last?.destination
        case .constant(.objectID(let id)): id.key.entity
        default: nil
        }
      return "an object of \(model.shape(numbered: number ?? root).name)"
    }

    private func checkOrder() throws(FetchPredicateError) {
      // An object comes before or behind another in the order of their keys.
      if case .subject(.subject) = left.term, case .constant(.objectID) = right.term { return }
      guard left.kinds.union(right.kinds).allSatisfy(\.hasOrder) else {
        throw makeRefusal("Its sides have no order.")
      }
    }

    private func checkMembership() throws(FetchPredicateError) {
      if right.kinds.contains(.text), !right.term.isList, !right.term.isMany {
        // A text is in another text that contains it.
        return try checkText()
      }
      guard right.term.isList || right.term.isMany else {
        throw makeRefusal(
          "Its right side must be a list, such as {1, 2} or an array for %@, or a to-many key path."
        )
      }
      try checkTextAmongObjects()
      try checkComparable()
    }

    /// Refuses a text that is looked for among objects, and leads to one of their texts.
    private func checkTextAmongObjects() throws(FetchPredicateError) {
      guard left.kinds == [.text], case .path(let path) = right.term, path.shape.attribute == nil,
        let last = path.shape.relationships.last
      else { return }
      let entity = model.shape(numbered: last.destination)
      let texts = entity.attributes.filter { $0.slot != nil && $0.type == .string }
      guard let text = texts.first(where: { $0.name == "name" }) ?? texts.first else { return }
      let name = right.term.name ?? last.name
      throw makeRefusal(
        "\(name) leads to objects of \(entity.name), and a text is none of them. Write ANY \(name).\(text.name) == …, or "
          + "ANY \(name).\(text.name) CONTAINS … for a part of the text.")
    }

    private func checkBounds() throws(FetchPredicateError) {
      let count: Int? =
        switch right.term {
        case .constant(.list(let items)): items.count
        case .list(let items): items.count
        default: nil
        }
      guard count == 2 else {
        throw makeRefusal("Its right side must be a list of two values; write BETWEEN {1, 5}.")
      }
      try checkComparable()
      try checkOrder()
    }

    private func checkText() throws(FetchPredicateError) {
      try checkRightIsOne()
      guard left.kinds.union(right.kinds).isSubset(of: [.text, .null]) else {
        throw makeRefusal("Both its sides must be text; compare other values with ==, < or IN.")
      }
      if comparator == .matches {
        guard case .constant = right.term else {
          throw makeRefusal("Its right side must be a constant text.")
        }
      }
    }

    private func makeRefusal(_ reason: String) -> FetchPredicateError {
      let sides = [left.term, right.term].compactMap(\.name).joined(separator: ", ")
      let location = sides.isEmpty ? "" : " (\(sides))"
      return FetchPredicateError(
        .wrongOperands, "\(comparator.spelling) cannot be used here\(location). \(reason)")
    }
  }
}
