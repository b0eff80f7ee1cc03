// SPDX-License-Identifier: MIT
import SporadesModel

/// The names that a model's types have in Swift source.
package struct ClassNames {
  /// The names of the classes, by the names of the entities.
  package private(set) var classes: [String: String] = [:]
  /// All names that the source gives to types, and those that no type may have.
  package private(set) var taken: Set<String>

  /// A class must not have the name of a property, because a property hides a type of its name.
  init(_ model: ManagedObjectModel, reserved: Set<String>) {
    taken = reserved.union(model.entities.flatMap(\.propertyNames))
    let entities = Set(model.entities.map(\.name))
    for entity in model.entities {
      // The name behind the module: `Shop.Customer`.
      let wished = entity.managedObjectClassName?.split(separator: ".").last.map(String.init)
      let others = entities.subtracting([entity.name])
      let wish = wished.flatMap { others.contains($0) ? nil : $0 }
      classes[entity.name] = claim([wish, entity.name].compactMap(\.self))
    }
  }

  /// The first name that is free, or one made of the last.
  mutating func claim(_ names: [String]) -> String {
    for name in names where SwiftText.canDeclare(type: name) && taken.insert(name).inserted {
      return name
    }
    let letters = (names.last ?? "").filter { $0.isLetter || $0.isNumber || $0 == "_" }
    var name = letters + "Entity"
    if name.first?.isNumber == true { name = "_" + name }
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(letters)Entity\(number)"
      number += 1
    }
    return name
  }
}
