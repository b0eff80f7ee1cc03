// SPDX-License-Identifier: MIT

/// Turns the entities of a valid model into shapes.
///
/// Rules:
/// 1. Entities get their numbers depth first, and siblings by name without regard to case, as in Core
///    Data.
/// 2. All entities of a tree share one layout. Slots of a superentity come before slots of the entities
///    below it, so that an inherited property has the same slot everywhere.
/// 3. A to-many relationship lies in the rows that it leads to, unless both sides are to-many.
struct ShapeCompiler {
  struct Output: Sendable {
    let shapes: [EntityShape]
    let joins: [JoinShape]
  }

  private let entities: [EntityDescription]
  private let byName: [String: EntityDescription]
  private let children: [String: [EntityDescription]]

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
    children = Dictionary(grouping: entities.filter { $0.superentityName != nil }) {
      $0.superentityName ?? ""
    }
  }

  func compile() -> Output {
    let ordered = orderEntities()
    let numbers = Dictionary(
      uniqueKeysWithValues: ordered.enumerated().map { ($1.name, $0 + 1) })
    let lastNumbers = numbers.reduce(into: [String: Int]()) { last, entry in
      last[entry.key] = entry.value + countFamily(entry.key) - 1
    }
    let plan = StoragePlan(
      ordered: ordered, numbers: numbers, byName: byName, lastNumbers: lastNumbers)
    let shapes = ordered.map { entity in
      makeShape(entity, numbers: numbers, lastNumbers: lastNumbers, plan: plan)
    }
    return Output(shapes: shapes, joins: plan.joins)
  }

  private func orderEntities() -> [EntityDescription] {
    func walk(_ level: [EntityDescription]) -> [EntityDescription] {
      level.inOrder { $0.name }.inOrder { $0.name.lowercased() }
        .flatMap { [$0] + walk(children[$0.name] ?? []) }
    }
    return walk(entities.filter { $0.superentityName == nil })
  }

  private func countFamily(_ name: String) -> Int {
    (children[name] ?? []).reduce(1) { $0 + countFamily($1.name) }
  }

  private func makeShape(
    _ entity: EntityDescription, numbers: [String: Int], lastNumbers: [String: Int],
    plan: StoragePlan
  ) -> EntityShape {
    let number = numbers[entity.name] ?? 0
    let line = lineage(entity)
    return EntityShape(
      description: entity, number: number,
      superNumber: entity.superentityName.flatMap { numbers[$0] } ?? 0,
      rootNumber: numbers[line[0].name] ?? 0,
      family: number...(lastNumbers[entity.name] ?? number),
      layout: plan.layouts[line[0].name]!,
      properties: line.flatMap { plan.properties[$0.name] ?? [] })
  }

  /// The entity and the entities that it inherits from, the root first.
  private func lineage(_ entity: EntityDescription) -> [EntityDescription] {
    let above = entity.superentityName.flatMap { byName[$0] }
    return (above.map(lineage) ?? []) + [entity]
  }
}
