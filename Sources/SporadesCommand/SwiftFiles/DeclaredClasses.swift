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

  /// The class and the classes that it inherits from, as far as the folder declares them.
  func lineage(of name: String) -> [SwiftClass] {
    var lineage: [SwiftClass] = []
    var met: Set<String> = []
    var next: String? = name
    while let name = next, met.insert(name).inserted, let found = self[name] {
      lineage.append(found)
      // The superclass stands first.
      next = found.inherited.first
    }
    return lineage
  }

  /// The property of a class, its own or an inherited one.
  func property(_ name: String, of type: String) -> SwiftProperty? {
    for found in lineage(of: type) {
      if let place = places[found.name], let property = properties[place][name] { return property }
    }
    return nil
  }

  /// Whether objects of the class are managed.
  func isManaged(_ name: String) -> Bool {
    lineage(of: name).contains { found in
      found.isEntity
        || found.inherited.contains { ["NSManagedObject", "ManagedObject"].contains($0) }
        || found.properties.contains { $0.attributes.contains("NSManaged") }
    }
  }
}
