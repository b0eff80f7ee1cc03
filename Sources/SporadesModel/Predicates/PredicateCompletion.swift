// SPDX-License-Identifier: MIT

/// A continuation of a format that is being written.
public struct PredicateCompletion: Hashable, Sendable {
  /// The text that may follow, such as `owner`, `BEGINSWITH` or `)`.
  public let text: String
  /// The kind of the text.
  public let kind: Kind

  /// The kind of a continuation.
  public enum Kind: Hashable, Sendable {
    /// The name of an attribute.
    case attribute
    /// The name of a relationship.
    case relationship
    /// A bracket, a comma, a point or an operator made of signs.
    case sign
    /// An operator or a word of the language.
    case word
    /// A function with its opening parenthesis.
    case function
    /// An operator in a key path, such as `@count`.
    case collectionOperator
    /// A variable of a subquery.
    case variable
    /// An example of a literal, or a placeholder.
    case value
  }
}

extension FetchPredicate {
  /// The texts that may follow the beginning of a format about an entity.
  ///
  /// Where the beginning ends in a name or word, the list also holds the names and words that begin with it. The list
  /// offers the names of the entity's properties, the operators that fit the type of the left side, and the brackets
  /// that are open. A beginning that no text can complete has an empty list.
  ///
  /// ```swift
  /// FetchPredicate.completions(after: "owner.", in: pet, model).map(\.text)   // ["age", "name", …]
  /// ```
  public static func completions(
    after text: String, in entity: EntityShape, _ model: ManagedObjectModel
  ) -> [PredicateCompletion] {
    let (start, word) = PredicateCompletions.split(text)
    let source = PredicateCompletions(entity: entity, model: model)
    var found =
      word.isEmpty
      ? []
      : source.completions(after: start).filter {
        $0.text.count > word.count && $0.text.lowercased().hasPrefix(word.lowercased())
      }
    found += source.completions(after: text)
    var known: Set<PredicateCompletion> = []
    return found.filter { known.insert($0).inserted }
  }
}

/// Turns the parser's offers at the end of a format into texts.
struct PredicateCompletions {
  let entity: EntityShape
  let model: ManagedObjectModel

  /// The format without the name or word at its end, and this word.
  static func split(_ text: String) -> (start: String, word: String) {
    let scalars = Array(text.unicodeScalars)
    var start = scalars.count
    while start > 0, scalars[start - 1].properties.isXIDContinue { start -= 1 }
    let isPlaceholder = start > 1 && scalars[start - 2] == "%"
    if start > 0, "@$#".unicodeScalars.contains(scalars[start - 1]), !isPlaceholder { start -= 1 }
    func join(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    return (join(0..<start), join(start..<scalars.count))
  }

  func completions(after text: String) -> [PredicateCompletion] {
    guard var parser = try? PredicateParser(text, .unknown) else {
      return []  // because a text that ends in the middle of a literal has no next token
    }
    do throws(FetchPredicateError) {
      _ = try parser.parse()
    } catch {
      // The error says where the format ends too early, which is where the offers are from.
    }
    return parser.offers.flatMap { completions(for: $0.offer, $0.variables) }
  }

  private func completions(
    for offer: PredicateOffer, _ variables: [PredicateParser.Variable]
  ) -> [PredicateCompletion] {
    switch offer {
    case .sign(let sign): [make(sign, .sign)]
    case .word(let word): [make(word, .word)]
    case .value: values(variables)
    case .keys(let path): keys(after: path)
    case .comparators(let left): comparators(of: kind(of: left, variables))
    case .operations(let left): operations(of: kind(of: left, variables))
    case .textOptions: ["c", "d", "cd", "n"].map { make($0, .word) }
    case .places: ["FIRST", "LAST", "SIZE"].map { make($0, .word) } + [make("0", .value)]
    case .castTypes:
      (CastType.allCases.map(\.rawValue) + PredicateLiteral.types).map { make("'\($0)'", .value) }
    case .newVariable: [make("$x", .variable)]
    }
  }

  private func make(_ text: String, _ kind: PredicateCompletion.Kind) -> PredicateCompletion {
    PredicateCompletion(text: text, kind: kind)
  }

  // MARK: - Values and keys

  private func values(_ variables: [PredicateParser.Variable]) -> [PredicateCompletion] {
    let literals = ["%@", "%K", "0", "''", "$"].map { make($0, .value) }
    let words = [
      "SELF", "TRUE", "FALSE", "YES", "NO", "nil", "NULL", "TRUEPREDICATE", "FALSEPREDICATE",
    ]
    return keys(of: entity, isFirst: true) + variables.map { make("$\($0.name)", .variable) }
      + PredicateCall.spellings.map { make($0, .function) } + literals
      + words.map { make($0, .word) } + ["(", "{", "~"].map { make($0, .sign) }
  }

  private func keys(after path: [String]) -> [PredicateCompletion] {
    guard !path.isEmpty else { return keys(of: entity) + collectionOperators }
    guard let shape = try? KeyPathShape(path, in: entity, model) else {
      // because the path of a composite attribute is refused, and that of a missing name has no next name
      return elements(after: path)
    }
    guard let last = shape.relationships.last else { return [] }
    return keys(of: model.shape(numbered: last.destination))
      + (shape.isToMany ? collectionOperators : [])
  }

  /// The members of the composite attribute at the end of the path.
  private func elements(after path: [String]) -> [PredicateCompletion] {
    var owner = entity
    if path.count > 1 {
      guard let shape = try? KeyPathShape(Array(path.dropLast()), in: entity, model),
        let last = shape.relationships.last
      else { return [] }  // because a path that the model lacks has no next name
      owner = model.shape(numbered: last.destination)
    }
    let attribute = owner.attributes.first { $0.name == path.last }
    return attribute?.elements.map { make($0.name, .attribute) } ?? []
  }

  private var collectionOperators: [PredicateCompletion] {
    [
      "@count", "@sum", "@min", "@max", "@avg", "@unionOfObjects", "@distinctUnionOfObjects",
      "@unionOfArrays", "@distinctUnionOfArrays", "@unionOfSets", "@distinctUnionOfSets",
    ].map { make($0, .collectionOperator) }
  }

  /// The names of stored properties. At the beginning of a key path, words of the language have a sign.
  private func keys(of entity: EntityShape, isFirst: Bool = false) -> [PredicateCompletion] {
    func spell(_ name: String) -> String {
      isFirst && ReservedWord.all.contains(name.uppercased()) ? "#\(name)" : name
    }
    let attributes = entity.attributes.filter { $0.slot != nil || !$0.elements.isEmpty }
    return attributes.map { make(spell($0.name), .attribute) }
      + entity.relationships.filter(\.isStored).map { make(spell($0.name), .relationship) }
  }

  // MARK: - Operators

  /// What is known of the left side.
  private enum Side { case text, ordered, number, object, truth, many, unknown }

  private func kind(
    of expression: FetchExpression, _ variables: [PredicateParser.Variable]
  ) -> Side {
    guard case .keyPath(let names) = expression else {
      switch expression {
      case .count, .arithmetic: return .number
      case .subject: return .object
      default: return .unknown
      }
    }
    var path = names
    if let name = names.first?.variableName,
      let variable = variables.last(where: { $0.name == name })
    {
      path = variable.path + names.dropFirst()
    }
    guard let shape = try? KeyPathShape(path, in: entity, model) else {
      return .unknown  // because the path may be a placeholder
    }
    guard let attribute = shape.attribute else { return shape.isToMany ? .many : .object }
    switch attribute.type {
    case .string, .uri: return .text
    case .integer16, .integer32, .integer64, .decimal, .double, .float: return .number
    case .boolean: return .truth
    case .date: return .number
    case .binary, .uuid: return .ordered
    case .transformable, .undefined, .objectID, .composite: return .object
    }
  }

  private func comparators(of side: Side) -> [PredicateCompletion] {
    let equality = ["==", "=", "!=", "<>"].map { make($0, .sign) } + [make("IN", .word)]
    let order =
      ["<", "<=", "=<", ">", ">=", "=>"].map { make($0, .sign) } + [make("BETWEEN", .word)]
    let text = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"].map { make($0, .word) }
    switch side {
    case .text, .unknown: return equality + order + text
    case .ordered, .number, .truth: return equality + order
    case .object: return equality
    case .many: return equality + order + text
    }
  }

  private func operations(of side: Side) -> [PredicateCompletion] {
    switch side {
    case .number, .unknown, .truth:
      ["+", "-", "*", "/", "%%", "**", "&", "|", "^", "<<", ">>"].map { make($0, .sign) }
        + (side == .unknown ? setOperators : [])
    case .many: setOperators
    case .text, .ordered, .object: []
    }
  }

  private var setOperators: [PredicateCompletion] {
    SetOperator.allCases.map { make($0.rawValue, .word) }
  }
}
