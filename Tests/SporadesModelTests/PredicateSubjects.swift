// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// An object of the tests' model in memory, with its related objects.
final class Node: PredicateSubject {
  typealias Failure = MissingRows

  struct MissingRows: PredicateRefusal {
    var refusal: FetchPredicateError?
    init() {}
    init(refusing error: FetchPredicateError) { refusal = error }
  }

  let key: Int64
  let entity: EntityShape
  var values: [String: Value]
  var links: [String: [Node]] = [:]
  var isUnreadable = false

  init(_ entity: String, _ key: Int64 = 1, _ values: [String: Value] = [:]) {
    self.key = key
    self.entity = TestModel.shape(entity)
    self.values = values
  }

  var subjectID: ManagedObjectID {
    ManagedObjectID(
      key: RowKey(entity: entity.number, primaryKey: key), scope: TestModel.scope)
  }

  func value(of attribute: AttributeShape) -> Value { values[attribute.name] ?? .null }

  func related(by relationship: RelationshipShape) throws(MissingRows) -> [Node] {
    if isUnreadable { throw MissingRows() }
    return links[relationship.name] ?? []
  }
}

/// People and their pets, pets and their toys.
enum TestModel {
  static let model: ManagedObjectModel = {
    let person = EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("age", .integer32),
        AttributeDescription("height", .double), AttributeDescription("funds", .decimal),
        AttributeDescription("isActive", .boolean), AttributeDescription("born", .date),
        AttributeDescription("photo", .binary), AttributeDescription("uid", .uuid),
        AttributeDescription("home", .uri), AttributeDescription("secret", .transformable),
        AttributeDescription("mood", .string, isTransient: true),
        {
          var address = AttributeDescription("address", .composite)
          address.elements = [AttributeDescription("street", .string)]
          return address
        }(),
      ],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner"), .toOne("boss", "Person", inverse: "staff"),
        .toMany("staff", "Person", inverse: "boss"),
      ])
    let pet = EntityDescription(
      "Pet",
      attributes: [AttributeDescription("name", .string), AttributeDescription("age", .integer32)],
      relationships: [
        .toOne("owner", "Person", inverse: "pets"), .toMany("toys", "Toy", inverse: "pet"),
      ])
    let toy = EntityDescription(
      "Toy", attributes: [AttributeDescription("price", .integer32)],
      relationships: [.toOne("pet", "Pet", inverse: "toys")])
    do {
      return try ManagedObjectModel(entities: [person, pet, toy])
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  static let scope = StoreScope(
    identifier: "PREDICATE-TESTS", entityNames: model.shapes.map(\.name))

  static func shape(_ name: String) -> EntityShape {
    model.shape(named: name) ?? model.shape(numbered: 1)
  }

  /// A person satisfies a format.
  static func holds(
    _ format: String, _ arguments: (any ValueConvertible)?..., for node: Node
  ) throws -> Bool {
    let predicate = try FetchPredicate(format: format, argumentArray: arguments)
    return try PredicateEvaluator(predicate, in: node.entity, model).matches(node)
  }

  /// The code with which a predicate about people is refused; nil if it is accepted.
  static func refusal(_ predicate: FetchPredicate) -> FetchPredicateError.Code? {
    do throws(FetchPredicateError) {
      try predicate.validate(in: shape("Person"), model)
      return nil
    } catch {
      return error.code
    }
  }
}
