// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

/// The question that a request for dictionaries (`fetchDictionaries`) asks, and the names of its columns.
struct DictionaryQuestion {
  private let request: FetchRequest
  private let entity: EntityShape
  let columns: [ExpressionDescription]

  init(_ request: FetchRequest, _ entity: EntityShape) throws(ContextError) {
    self.request = request
    self.entity = entity
    let named =
      request.propertiesToFetch.isEmpty ? request.propertiesToGroupBy : request.propertiesToFetch
    columns = named.isEmpty ? Self.allProperties(entity) : named.map { Self.column($0, entity) }
    try checkVariables()
    if request.havingPredicate != nil, request.propertiesToGroupBy.isEmpty,
      !request.returnsDistinctResults, columns.allSatisfy({ entity[$0.name] != nil })
    {
      throw .unsupportedRequest(
        "A fetch request for \(entity.name) has a havingPredicate and makes no groups. Name their values in propertiesToGroupBy, or write the condition of single objects in predicate."
      )
    }
    var names: Set<String> = []
    for column in columns where !names.insert(column.name).inserted {
      throw .unsupportedRequest(
        "A fetch request for \(entity.name) fetches two values named \(column.name). Give each a name of its own."
      )
    }
  }

  /// The condition of groups names fetched values by variables.
  private func checkVariables() throws(ContextError) {
    let known = columns.map(\.name)
    var unknown: String?
    _ = request.havingPredicate?.replacing { expression in
      if case .variable(let name) = expression, !known.contains(name) { unknown = unknown ?? name }
      return nil
    }
    guard let unknown else { return }
    throw .unsupportedRequest(
      "The condition of groups names $\(unknown), which the fetch request for \(entity.name) does not fetch. It fetches \(known.joined(separator: ", "))."
    )
  }

  /// The id of an object is no property, and is fetched by the name `objectID`.
  private static func column(
    _ column: ExpressionDescription, _ entity: EntityShape
  ) -> ExpressionDescription {
    guard column.expression == .keyPath("objectID"), entity["objectID"] == nil else {
      return column
    }
    return ExpressionDescription(column.name, .subject, resultType: column.resultType)
  }

  /// All attributes that a store keeps, and all to-one relationships.
  private static func allProperties(_ entity: EntityShape) -> [ExpressionDescription] {
    entity.properties.compactMap { property in
      switch property {
      case .attribute(let attribute):
        attribute.slot == nil ? nil : ExpressionDescription(attribute.name)
      case .relationship(let relationship):
        relationship.isToMany || !relationship.isStored
          ? nil : ExpressionDescription(relationship.name)
      case .fetched: nil
      }
    }
  }

  /// The request for the objects that the dictionaries are made of. The order and the bounds of groups are not part
  /// of it.
  func objectRequest(isOfGroups: Bool) -> FetchRequest {
    var objects = request
    objects.sortTerms = isOfGroups ? [] : sortTerms
    if isOfGroups { (objects.fetchLimit, objects.fetchOffset) = (nil, 0) }
    return objects
  }

  func question(_ fetch: StoreFetch, isOfGroups: Bool) -> TableQuestion {
    var question = TableQuestion(fetch, columns.map(\.expression))
    question.groups = request.propertiesToGroupBy.map { group in
      columns.first { $0.name == group.name }?.expression ?? group.expression
    }
    question.having = request.havingPredicate?.replacing(named)
    question.isDistinct = request.returnsDistinctResults
    guard isOfGroups else { return question }
    question.sortTerms = sortTerms
    question.limit = request.fetchLimit
    question.offset = request.fetchOffset
    return question
  }

  private var sortTerms: [SortTerm] {
    request.sortTerms.map { term in
      var term = term
      // As in SQL, the name of a fetched value comes before that of a property.
      let value = term.keyPath.flatMap { names in
        columns.first { $0.name == names.joined(separator: ".") }?.expression
      }
      term.expression = value ?? term.expression.replacing(named)
      return term
    }
  }

  /// The expression of the column that a variable or a name stands for. Properties come before columns.
  private func named(_ expression: FetchExpression) -> FetchExpression? {
    let name: String
    switch expression {
    case .variable(let variable): name = variable
    case .keyPath(let names):
      guard names.count == 1, entity[names[0]] == nil else { return nil }
      name = names[0]
    default: return nil
    }
    return columns.first { $0.name == name }?.expression
  }
}

extension ManagedObjectContext {
  /// The values of the objects that satisfy the request, or of groups of them, by name. The context makes no objects.
  ///
  /// ```swift
  /// var request = FetchRequest("Player")
  /// request.propertiesToGroupBy = ["team.name"]
  /// request.propertiesToFetch = ["team.name", ExpressionDescription("oldest", .max(of: "age"))]
  /// for team in try context.fetchDictionaries(request) { print(team["team.name"], team["oldest"]) }
  /// ```
  public func fetchDictionaries(_ request: FetchRequest) throws -> FetchedDictionaries {
    beginWork()
    defer { endWork() }
    return try dictionaries(request)
  }

  /// The question of a request for dictionaries, and the entity of its objects.
  private func dictionaryQuestion(
    _ request: FetchRequest
  ) throws -> (asked: DictionaryQuestion, question: TableQuestion, shape: EntityShape) {
    guard let shape = model.shape(named: request.entityName) else {
      throw ContextError.unknownEntity(request.entityName, known: model.shapes.map(\.name))
    }
    let asked = try DictionaryQuestion(request, shape)
    let plain = asked.question(StoreFetch(shape), isOfGroups: false)
    let isOfGroups = plain.isOfGroups(model)
    let fetch = try storeFetch(
      asked.objectRequest(isOfGroups: isOfGroups), for: .dictionaries)
    return (asked, asked.question(fetch, isOfGroups: isOfGroups), shape)
  }

  func question(ofDictionaries request: FetchRequest) throws -> TableQuestion {
    try dictionaryQuestion(request).question
  }

  func dictionaries(_ request: FetchRequest) throws -> FetchedDictionaries {
    let (asked, question, shape) = try dictionaryQuestion(request)
    let values = try answer(question, request).converted(to: asked.columns, of: shape)
    return FetchedDictionaries(asked.columns.map(\.name), values)
  }
}

extension TableAnswer {
  /// The answer with the values in the types that the columns demand.
  fileprivate func converted(
    to columns: [ExpressionDescription], of entity: EntityShape
  ) throws(ContextError) -> TableAnswer {
    guard columns.contains(where: { $0.resultType != nil }) else { return self }
    var values = values
    for place in values.indices {
      let column = columns[place % width]
      guard let type = column.resultType else { continue }
      guard let converted = values[place].converted(to: type) else {
        throw .unsupportedRequest(
          "A fetch request for \(entity.name) fetches \(column.name) as .\(type), and "
            + "\(values[place].debugDescription) is not of this type. Choose another resultType, or none."
        )
      }
      values[place] = converted
    }
    return TableAnswer(width: width, values)
  }
}
