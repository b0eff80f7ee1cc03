// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore

/// Fills a store of any model: objects of every entity, values in every attribute, links in every relationship.
struct GraphFilling {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  func fill(_ store: any PersistentStore, count: Int) throws {
    try DataStack(store: store).newContext().performAndWait { context in
      var objects: [ManagedObject] = []
      for shape in model.shapes where !shape.isAbstract {
        for _ in 0..<count {
          let number = objects.count
          let object = try context.insert(entityNamed: shape.name)
          for attribute in shape.attributes where !attribute.description.isDerived {
            set(attribute.description, of: object, number)
          }
          objects.append(object)
        }
      }
      for object in objects { link(object, objects) }
      try context.save()
    }
  }

  private func set(_ attribute: AttributeDescription, of object: ManagedObject, _ number: Int) {
    if attribute.type == .composite {
      object[attribute.name] = .list(attribute.elements.map { value($0, number) })
    } else {
      object[attribute.name] = value(attribute, number)
    }
  }

  private func value(_ attribute: AttributeDescription, _ number: Int) -> Value {
    let bounds = attribute.validation
    if !bounds.minimum.isNull { return bounds.minimum }
    return switch attribute.type {
    case .integer16, .integer32, .integer64: .integer(Int64(number))
    case .double, .float: .double(Double(number) + 0.5)
    case .decimal: .decimal(Decimal(number))
    case .string: .string("\(attribute.name) \(number)")
    case .boolean: .boolean(number % 2 == 0)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1000))
    case .binary, .transformable: .data(Data(repeating: UInt8(number % 256), count: 300))
    case .uuid: .uuid(UUID())
    case .uri: URL(string: "https://example.org/\(number)").map { .url($0) } ?? .null
    case .undefined, .objectID, .composite: .null
    }
  }

  private func link(_ object: ManagedObject, _ objects: [ManagedObject]) {
    guard let shape = model.shape(named: object.entity.name) else { return }
    for relationship in shape.relationships {
      let others = objects.filter {
        model.shape(named: $0.entity.name).map {
          relationship.destinationFamily.contains($0.number)
        }
          ?? false
      }
      guard let place = objects.firstIndex(of: object), !others.isEmpty else { continue }
      let inverse = relationship.inverseName.flatMap { name in
        model.shape(numbered: relationship.destination).relationships.first { $0.name == name }
      }
      let some = (0..<3).map { others[(place + $0 * 3) % others.count] }
      if relationship.isToMany {
        // The other side sets its one link, so that nobody takes it away again.
        if let inverse, !inverse.isToMany { continue }
        var distinct: [ManagedObject] = []
        for other in some where !distinct.contains(other) { distinct.append(other) }
        object.setObjects(distinct, forKey: relationship.name)
      } else {
        object.setObject(some[0], forKey: relationship.name)
      }
    }
  }
}
