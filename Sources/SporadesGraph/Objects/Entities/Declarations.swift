// SPDX-License-Identifier: MIT

/// The declarations of classes, each asked for once while a model is made or bound.
///
/// A class makes its declaration anew whenever it is asked, with all properties and their defaults.
final class Declarations {
  // By place of the class in memory: the runtime looks long for what dictionaries with other keys need.
  private var known: [Int: EntityDeclaration] = [:]

  subscript(type: ManagedObject.Type) -> EntityDeclaration {
    let place = Int(bitPattern: ObjectIdentifier(type))
    if let declaration = known[place] { return declaration }
    let declaration = type.declaration
    known[place] = declaration
    return declaration
  }

  /// All properties of a class by place, inherited ones first.
  func allProperties(of type: ManagedObject.Type) -> [PropertyDeclaration] {
    let declaration = self[type]
    return (declaration.superclass.map(allProperties) ?? []) + declaration.properties
  }
}
