// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite

// The relationships that the names of columns and tables give away.
extension ModelInference {
  /// Adds the relationships of a table of rows, and returns the columns that they use.
  mutating func addLinks(_ links: [NumberedName], of root: Int) -> Set<String> {
    var used: Set<String> = []
    let destinations = links.filter { $0.kind == .destination }
    for link in destinations {
      used.insert(link.column)
      guard destinations.count(where: { $0.name == link.name }) == 1, addToOne(link, of: root)
      else {
        warnOfNumbers(link, root)
        continue
      }
      used.insert("Z" + link.name)
    }
    for link in links where link.kind == .owner {
      used.insert(link.column)
      let position = CoreDataLayout.positionColumn(of: "\(link.number)\(link.name)")
      if addToMany(link, below: root, position: position) {
        used.insert(position)
      } else {
        warn(
          .invalidName, name(of: root), link.column,
          "is left out, because the model has no entity \(link.number), or that has such a property already."
        )
      }
    }
    return used
  }

  private mutating func warnOfNumbers(_ link: NumberedName, _ root: Int) {
    warn(
      .missingDestination, name(of: root), link.name,
      "is read as a number, because \(link.column) does not tell one entity that it leads to.")
  }

  /// Only a destination with subentities has a column for the entity of the linked row.
  private mutating func addToOne(_ link: NumberedName, of root: Int) -> Bool {
    guard let destination = name(of: link.number), hasSubentities(link.number),
      isInteger("Z" + link.name, of: root), claim(link.name, in: root)
    else { return false }
    add(RelationshipDescription.toOne(link.name, destination, deleteRule: .noAction), to: root)
    return true
  }

  private mutating func addToMany(
    _ link: NumberedName, below root: Int, position: String
  ) -> Bool {
    guard let destination = name(of: root), name(of: link.number) != nil,
      isInteger(link.column, of: root), claim(link.name, in: link.number)
    else { return false }
    add(
      RelationshipDescription.toMany(
        link.name, destination, isOrdered: isInteger(position, of: root), deleteRule: .noAction),
      to: link.number)
    return true
  }

  private func isInteger(_ column: String, of root: Int) -> Bool {
    guard let entity = name(of: root),
      let columns = catalog.tables[CoreDataLayout.tableName(entity)]
    else {
      return false
    }
    return columns.contains { $0.name == column && $0.type.uppercased() == "INTEGER" }
  }

  // MARK: - Joins

  /// A table of links: `Z_5PETS (Z_5OWNERS, Z_7PETS)`.
  private struct Join {
    let number: Int
    let name: String
    /// The number and the relationship of the other side; nil for a relationship that is its own inverse.
    let other: (number: Int, name: String)?
    let isOrdered: Bool
    let isOtherOrdered: Bool

    init?(_ table: String, _ columns: [String]) {
      guard let (number, name) = NumberedName.split(table, after: "Z_") else { return nil }
      let places = Set(columns.filter { $0.hasPrefix(CoreDataLayout.positionColumn(of: "")) })
      let keys = columns.filter { !places.contains($0) }
      guard keys.count == 2 else { return nil }
      (self.number, self.name) = (number, name)
      func isFar(_ key: String) -> Bool {
        key == "REFLEXIVE"
          || NumberedName.split(key, after: "Z_").map { side in
            side.rest.hasPrefix(name) && side.rest.dropFirst(name.count).allSatisfy(\.isNumber)
          } == true
      }
      let isSwapped = !isFar(keys[1]) && isFar(keys[0])
      let (near, far) = isSwapped ? (keys[1], keys[0]) : (keys[0], keys[1])
      guard isFar(far), let own = NumberedName.split(near, after: "Z_"), own.number == number else {
        return nil
      }
      func isPlaced(_ key: String) -> Bool {
        places.contains(CoreDataLayout.positionColumn(of: String(key.dropFirst(2))))
      }
      isOtherOrdered = isPlaced(near)
      if far == "REFLEXIVE" {
        other = nil
        isOrdered = !places.isEmpty
      } else {
        guard let side = NumberedName.split(far, after: "Z_") else { return nil }
        other = (side.number, own.rest)
        isOrdered = isPlaced(far)
      }
    }
  }

  mutating func addJoins() {
    for (table, columns) in catalog.tables.inOrder {
      guard NumberedName.split(table, after: "Z_") != nil else { continue }
      guard let join = Join(table, columns.map(\.name)), add(join) else {
        warn(
          .missingDestination, nil, nil,
          "The table \(table) is left out, because it does not tell the two relationships that it links, or "
            + "one of them has the name of another property.")
        continue
      }
    }
  }

  private mutating func add(_ join: Join) -> Bool {
    guard let own = name(of: join.number) else { return false }
    guard let other = join.other else {
      guard claim(join.name, in: join.number) else { return false }
      add(
        RelationshipDescription.toMany(
          join.name, own, inverse: join.name, isOrdered: join.isOrdered, deleteRule: .noAction),
        to: join.number)
      return true
    }
    guard let destination = name(of: other.number), claim(join.name, in: join.number),
      claim(other.name, in: other.number)
    else { return false }
    add(
      RelationshipDescription.toMany(
        join.name, destination, inverse: other.name, isOrdered: join.isOrdered,
        deleteRule: .noAction),
      to: join.number)
    add(
      RelationshipDescription.toMany(
        other.name, own, inverse: join.name, isOrdered: join.isOtherOrdered,
        deleteRule: .noAction),
      to: other.number)
    return true
  }
}
