// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

extension Verb {
  static let dump = Verb(
    name: "dump", group: .look, summary: "Print the objects of an entity",
    operands: [.store, .entity],
    options: [
      .condition, .arguments,
      VerbOption(
        name: "sort", value: "KEYS",
        text: "The order: --sort 'lastname, age desc'. Else that of the keys."),
      VerbOption(name: "limit", value: "COUNT", text: "The largest number of objects."),
      VerbOption(name: "offset", value: "COUNT", text: "The number of objects to leave out first."),
      VerbOption(
        name: "columns", value: "LIST",
        text:
          "The values to print, with commas between them: key paths (owner.name), counts (pets.@count), or other "
          + "expressions of the predicate language. Else the object's id, all attributes and all relationships to one object.",
        repeats: true),
      VerbOption(name: "only", text: "Leave out the objects of subentities."), .model,
    ],
    details: [
      "On a terminal it prints a table; elsewhere, and with --json, an object of JSON on each line. Dates are in "
        + "ISO 8601 (one beyond its years is a number of seconds since 2001), bytes in base64, and ids have the form User/12."
    ],
    examples: [
      "sporades dump app.sqlite User",
      "sporades dump app.sqlite User --where 'age > $least' --arg least=18 --columns name,owner.name",
    ]
  ) { invocation in
    let terms = try SortTerm.parse(invocation.value("sort") ?? "")
    let (limit, offset) = (try invocation.count("limit"), try invocation.count("offset") ?? 0)
    let given = try GivenStore(invocation)
    let shape = try given.entity(named: invocation.word(Operand.entity.name))
    var fetch = StoreFetch(
      shape, includesSubentities: !invocation.has("only"), sortedBy: terms, limit: limit,
      offset: offset)
    let condition = try invocation.value(VerbOption.condition.name).map {
      try FetchPredicate(format: $0)
    }
    fetch.predicate = try GivenArguments(invocation, given).bound([condition], in: shape)[0]
    let texts = invocation.allValues("columns").flatMap { ClauseText($0).parts }
    guard !texts.contains(where: \.text.isEmpty) else {
      throw invocation.mistake("--columns has an empty name; leave out the comma.")
    }
    let columns =
      try texts.isEmpty
      ? shape.usualColumns
      : texts.map { ExpressionDescription($0.text, try FetchExpression(format: $0.text)) }
    let listing = Listing(columns, fetch, given)
    var question = listing.question
    try question.check(given.model)
    try listing.print(to: invocation.output, asJSON: invocation.isJSON)
    return .done
  }
}

extension EntityShape {
  /// The id, the stored attributes and the links to one object.
  var usualColumns: [ExpressionDescription] {
    var name = "objectID"
    while self[name] != nil { name += "_" }
    var columns = [ExpressionDescription(name, .subject)]
    for property in properties {
      switch property {
      case .attribute(let attribute): columns += attribute.storedPaths([]).map { .init($0) }
      case .relationship(let link) where !link.isToMany && link.isStored:
        columns.append(ExpressionDescription(link.name))
      case .relationship, .fetched: break
      }
    }
    return columns
  }
}

extension AttributeShape {
  /// The key paths of the values that a store keeps of the attribute: several for a composite one.
  fileprivate func storedPaths(_ outer: [String]) -> [String] {
    let path = outer + [name]
    if type == .composite { return elements.flatMap { $0.storedPaths(path) } }
    return slot == nil ? [] : [path.joined(separator: ".")]
  }
}
