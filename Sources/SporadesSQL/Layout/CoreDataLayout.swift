// SPDX-License-Identifier: MIT
package import SporadesModel

/// Core Data's layout of a model's tables.
///
/// Rules:
/// 1. A tree's table is `Z` and the root's name in capitals. A property's column is `Z` and the property's
///    name in capitals. A second use of a name gets the suffix 1, 2 … in the order of the entities' numbers.
/// 2. A reference to an entity with subentities has a second column, `Z5_OWNER`, with the number of the
///    linked row's entity.
/// 3. The members of an ordered to-many relationship have a column `Z_FOK_OWNER`.
/// 4. A to-many relationship without inverse has its column in the destination: `Z5PETS`.
///
/// A store of one configuration numbers its own entities 1, 2 …. The other entities get the following
/// numbers, which serve only for names.
package final class CoreDataLayout: ModelLayout {
  package let model: ManagedObjectModel
  package let layout: StoreLayout
  private let entities: Set<Int>?

  /// The layout of a store with all entities, or with those of the given numbers.
  package init(_ model: ManagedObjectModel, holding entities: Set<Int>? = nil) {
    self.model = model
    self.entities = entities
    let numbers = Self.numbers(model, holding: entities)
    let roots = model.shapes.filter { $0.superNumber == 0 }
    var names = JoinNames(numbers)
    let places = Dictionary(
      uniqueKeysWithValues: roots.enumerated().map { ($1.number, $0) })
    layout = StoreLayout(
      names: Self.names, tables: roots.map { Self.table(of: $0, in: model, numbers) },
      joins: model.joins.map { names.table(of: $0) },
      tablesByEntity: model.shapes.map { places[$0.rootNumber] ?? 0 },
      storeNumbers: numbers)
  }

  private static func numbers(_ model: ManagedObjectModel, holding entities: Set<Int>?) -> [Int] {
    let all = model.shapes.map(\.number)
    guard let entities else { return all }
    let order = all.filter(entities.contains) + all.filter { !entities.contains($0) }
    var numbers = all
    for (place, number) in order.enumerated() { numbers[number - 1] = place + 1 }
    return numbers
  }

  package func holds(_ entity: Int) -> Bool { entities?.contains(entity) ?? true }

  // MARK: - Tables

  private static func table(
    of root: EntityShape, in model: ManagedObjectModel, _ numbers: [Int]
  ) -> StoreLayout.Table {
    let slots = root.layout.slots
    var taken = Set(names.row.all)
    var columns: [Int: StoreLayout.Column] = [:]
    let order = slots.indices.inOrder { slots[$0].name }.inNumberOrder { slots[$0].entity }
    for slot in order { columns[slot] = column(for: slots[slot], in: model, numbers, &taken) }
    return StoreLayout.Table(
      name: tableName(root.name), rootEntity: root.number,
      hasSubentities: root.hasSubentities, columns: slots.indices.compactMap { columns[$0] })
  }

  private static func column(
    for slot: RowLayout.Slot, in model: ManagedObjectModel, _ numbers: [Int],
    _ taken: inout Set<String>
  ) -> StoreLayout.Column {
    let name = slot.name.split(separator: ".").last.map(String.init) ?? slot.name
    let leaf = renumbered(name, slot.role, numbers)
    switch slot.role {
    case .attribute(let attribute):
      return StoreLayout.Column(
        name: free(column(leaf), &taken), type: ColumnType(attribute.type), entity: slot.entity,
        entityColumn: nil, destination: 0, isPosition: false,
        isExternal: slot.kind == .large)
    case .toOne(let relationship):
      let destination = model.shape(named: relationship.destinationEntityName)
      let name = free(column(leaf), &taken)
      let number = destination?.number ?? 0
      let isTyped = destination?.hasSubentities ?? false
      return StoreLayout.Column(
        name: name, type: .integer, entity: slot.entity,
        entityColumn: isTyped ? free(entityColumn(of: leaf, numbers[number - 1]), &taken) : nil,
        destination: number, isPosition: false, isExternal: false)
    case .owner(let entity, _):
      return StoreLayout.Column(
        name: free(column(leaf), &taken), type: .integer, entity: slot.entity, entityColumn: nil,
        destination: entity, isPosition: false, isExternal: false)
    case .position:
      return StoreLayout.Column(
        name: free(positionColumn(of: leaf), &taken), type: .integer, entity: slot.entity,
        entityColumn: nil, destination: 0, isPosition: true, isExternal: false)
    }
  }

  /// The name of an owner's slot begins with the number of its entity in the model: `3pets`.
  private static func renumbered(
    _ name: String, _ role: RowLayout.Role, _ numbers: [Int]
  ) -> String {
    let isOfOwner =
      switch role {
      case .owner, .position: true
      default: false
      }
    let digits = name.prefix { $0.isNumber }
    guard isOfOwner, let number = Int(digits), numbers.indices.contains(number - 1) else {
      return name
    }
    return "\(numbers[number - 1])\(name.dropFirst(digits.count))"
  }

  private static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var suffix = 0
    while !taken.insert(candidate).inserted {
      suffix += 1
      candidate = name + String(suffix)
    }
    return candidate
  }

  // MARK: - Joins

  /// The names of joins. No two columns with the same entity number share a name, in all joins of a model.
  private struct JoinNames {
    private var taken: Set<String> = []
    private let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    mutating func table(of join: JoinShape) -> StoreLayout.JoinTable {
      let (first, second) = (join.first, join.second)
      let (own, inverse) = (first.relationship.name, second.relationship.name)
      let (firstNumber, secondNumber) = (numbers[first.entity - 1], numbers[second.entity - 1])
      let firstColumn = free(joinName(of: inverse, firstNumber), &taken)
      let secondColumn =
        join.isReflexive ? "REFLEXIVE" : free(joinName(of: own, secondNumber), &taken)
      return StoreLayout.JoinTable(
        name: joinName(of: own, firstNumber), first: firstColumn, second: secondColumn,
        firstPosition: second.relationship.isOrdered && !join.isReflexive
          ? positionColumn(beside: firstColumn) : nil,
        secondPosition: first.relationship.isOrdered ? positionColumn(beside: secondColumn) : nil,
        isReflexive: join.isReflexive)
    }
  }
}
