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
    case .steps(let path): steps(after: path)
    case .comparators(let left, let quantifier):
      PredicateTrials(entity, model, variables).comparators(of: left, quantifier)
    case .operations(let left): PredicateTrials(entity, model, variables).operations(of: left)
    case .textOptions: ["c", "d", "cd", "n"].map { make($0, .word) }
    case .places(let path): places(of: path)
    case .castTypes(let inner, let isLiteral):
      PredicateTrials(entity, model, variables).castTypes(of: inner, isLiteral: isLiteral)
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
      + functions + literals
      + words.map { make($0, .word) } + ["(", "{", "~"].map { make($0, .sign) }
  }

  /// A point where a name can follow, and a bracket where a place can.
  private func steps(after path: [String]) -> [PredicateCompletion] {
    let (point, bracket) = (make(".", .sign), make("[", .sign))
    guard !path.isEmpty, let shape = try? KeyPathShape(path, in: entity, model) else {
      // because a placeholder may stand for any key path, and an element of a composite attribute for one
      return [point, bracket]
    }
    guard shape.attribute == nil, let last = shape.relationships.last else { return [] }
    return last.isToMany ? [point, bracket] : [point]
  }

  /// The places in a to-many relationship. Only the members of an ordered one have places of their own.
  private func places(of path: [String]) -> [PredicateCompletion] {
    let (size, others) = (
      make("SIZE", .word), ["FIRST", "LAST"].map { make($0, .word) } + [make("0", .value)]
    )
    guard let last = (try? KeyPathShape(path, in: entity, model))?.relationships.last else {
      // because a placeholder may stand for any key path
      return others + [size]
    }
    return last.isOrdered ? others + [size] : [size]
  }

  /// The functions with a place in a condition.
  private var functions: [PredicateCompletion] {
    PredicateCall.spellings.filter { $0 != "\(FetchFunction.random.rawValue)(" }
      .map { make($0, .function) }
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
}
