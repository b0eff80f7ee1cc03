// SPDX-License-Identifier: MIT

extension PreparedPredicate.Term {
  /// The kind of a term. A comparison takes terms of one kind, and nil with every kind.
  package enum Kind: Hashable, Sendable {
    case number, text, date, data, uuid
    /// Objects of the inheritance tree with this root.
    case object(root: Int)
    case null
    /// Values that no store understands. A comparison can only ask whether they are nil.
    case opaque
    case list

    /// The phrase for a value of the kind in an error.
    var phrase: String {
      switch self {
      case .number: "a number"
      case .text: "text"
      case .date: "a date"
      case .data: "data"
      case .uuid: "a UUID"
      case .object: "an object"
      case .null: "nil"
      case .opaque: "a value that can only be compared with nil"
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

    /// The sentence that tells how to mend a comparison of two kinds.
    static func remedy(_ left: Kind, _ right: Kind) -> String {
      switch (left, right) {
      case (.object, .object), (_, .opaque), (.opaque, _), (_, .list), (.list, _): ""
      case (.object, _), (_, .object): " Pass an object or its id as the argument of %@."
      case (.date, _), (_, .date): " Pass a Date as the argument of %@."
      case (.uuid, _), (_, .uuid): " Pass a UUID as the argument of %@."
      case (.data, _), (_, .data): " Pass data as the argument of %@."
      case (.number, _): " Pass a number, or write it without quotes."
      case (.text, _), (.null, _): " Pass a text, or write it in quotes."
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

extension PreparedPredicate.Term {
  /// Why conditions ask no more of the term than whether it is nil; nil for a term that they can search.
  var reasonAgainstSearch: String? {
    guard case .path(let path) = self, let attribute = path.shape.attribute else { return nil }
    guard [.transformable, .undefined].contains(attribute.type) else { return nil }
    return
      "\(attribute.name) is stored as an encoding, in which no store searches. Store what is to be found in an attribute or "
      + "an entity of its own, or fetch the objects and look through them."
  }

  /// The term has truth values, which compare as numbers.
  var isTruth: Bool { attribute?.type == .boolean }

  /// The attribute whose values the term has.
  var attribute: AttributeShape? {
    switch self {
    case .path(let path), .aggregate(.min, let path), .aggregate(.max, let path):
      path.shape.attribute
    case .element(let element): element.values?.attribute
    default: nil
    }
  }
}
