// SPDX-License-Identifier: MIT

/// The classes of a folder by their names, with the properties of their extensions.
struct DeclaredClasses {
  /// The classes in the order of their declarations. Of two with one name, the first counts.
  private(set) var all: [SwiftClass] = []
  private var places: [String: Int] = [:]
  /// The properties of each class by their names.
  private var properties: [[String: SwiftProperty]] = []

  init(_ declarations: [SwiftClass]) {
    for found in declarations where !found.isExtension && places[found.name] == nil {
      places[found.name] = all.count
      all.append(found)
      properties.append([:])
    }
    for found in declarations {
      guard let place = places[found.name] else { continue }
      if found.isExtension { all[place].properties += found.properties }
      for property in found.properties where properties[place][property.name] == nil {
        properties[place][property.name] = property
      }
    }
  }

  subscript(name: String) -> SwiftClass? { places[name].map { all[$0] } }

  /// No program nests classes deeper.
  private static let deepest = 64

  /// The property of a class, its own or one of the classes that it inherits from, as far as the folder declares them.
  func property(_ name: String, of type: String) -> SwiftProperty? {
    var next = places[type]
    for _ in 0..<Self.deepest {
      guard let place = next else { return nil }
      if let property = properties[place][name] { return property }
      // The superclass stands first.
      next = all[place].inherited.first.flatMap { places[$0] }
    }
    return nil
  }
}
