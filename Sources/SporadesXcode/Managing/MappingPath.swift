// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesModelFiles

/// Walks the key paths of expressions, as key-value coding does.
struct MappingPath {
  let manager: MigrationManager

  func walk(_ names: ArraySlice<String>, from start: MappingValue) throws -> MappingValue {
    var (current, names) = (start, names)
    while let name = names.popFirst() {
      if name.hasPrefix("@") { return try apply(String(name.dropFirst()), to: current, names) }
      switch current {
      case .value(.null): return .null
      case .object(let object): current = try property(name, of: object, &names)
      case .objects(let objects):
        let rest = [name] + names
        return flatten(try objects.map { try walk(rest[...], from: .object($0)) })
      case .manager: current = try managerValue(name, &names)
      case .entityMapping(let mapping): current = try entityMappingValue(name, mapping, &names)
      case .propertyMapping(let mapping):
        current = try mappingValue(name, mapping.name, mapping.userInfo, &names)
      default: throw MappingFailure("\(current.kindName) has no property \(name).")
      }
    }
    return current
  }

  private func property(
    _ name: String, of object: ManagedObject, _ names: inout ArraySlice<String>
  ) throws -> MappingValue {
    switch object.entityShape[name] {
    case .attribute(var attribute):
      while !attribute.elements.isEmpty, let next = names.first {
        guard let element = attribute.elements.first(where: { $0.name == next }) else {
          throw MappingFailure("\(object.entity.name).\(attribute.name) has no member \(next).")
        }
        attribute = element
        names.removeFirst()
      }
      return .value(object.value(of: attribute))
    case .relationship(let relationship):
      if relationship.isToMany { return .objects(object.memberFaults(relationship)) }
      return object.target(of: relationship).map { .object($0) } ?? .null
    case .fetched: return .objects(object.objects(forKey: name))
    case nil:
      if name == "objectID" { return .value(.objectID(object.objectID)) }
      if name == "self" { return .object(object) }
      throw MappingFailure("\(object.entity.name) has no property \(name).")
    }
  }

  // MARK: - The manager and its mappings

  private func managerValue(
    _ name: String, _ names: inout ArraySlice<String>
  ) throws -> MappingValue {
    switch name {
    case "sourceContext": return .context(manager.sourceContext)
    case "destinationContext": return .context(manager.destinationContext)
    case "currentEntityMapping":
      return manager.currentEntityMapping.map { .entityMapping($0) } ?? .null
    case "userInfo":
      guard let key = names.popFirst() else {
        throw MappingFailure("$manager.userInfo needs the name of an entry.")
      }
      let entry = manager.userInfo[key]
      if let object = entry as? ManagedObject { return .object(object) }
      if let objects = entry as? [ManagedObject] { return .objects(objects) }
      guard let value = Value(converting: entry) else {
        throw MappingFailure("$manager.userInfo.\(key) is neither a value nor an object.")
      }
      return .value(value)
    default: throw MappingFailure("$manager has no property \(name).")
    }
  }

  private func entityMappingValue(
    _ name: String, _ mapping: EntityMapping, _ names: inout ArraySlice<String>
  ) throws -> MappingValue {
    switch name {
    case "sourceEntityName": return .value(mapping.sourceEntityName.value)
    case "destinationEntityName": return .value(mapping.destinationEntityName.value)
    case "mappingType": return .value(.integer(Int64(mapping.kind.rawValue)))
    default: return try mappingValue(name, mapping.name, mapping.userInfo, &names)
    }
  }

  private func mappingValue(
    _ name: String, _ mapping: String, _ notes: [String: String],
    _ names: inout ArraySlice<String>
  ) throws -> MappingValue {
    switch (name, names.popFirst()) {
    case ("name", nil): return .value(.string(mapping))
    case ("userInfo", let key?): return .value(notes[key].value)
    default: throw MappingFailure("\(mapping) has no property \(name).")
    }
  }

  // MARK: - Collections

  private func flatten(_ results: [MappingValue]) -> MappingValue {
    var objects: [ManagedObject] = []
    var values: [Value] = []
    for result in results {
      switch result {
      case .object(let object): objects.append(object)
      case .objects(let some): objects += some
      case .value(.list(let some)): values += some
      default: if let value = result.value { values.append(value) }
      }
    }
    let areObjects = !objects.isEmpty && values.allSatisfy(\.isNull)
    return areObjects ? .objects(objects) : .value(.list(values))
  }

  private func apply(
    _ name: String, to collection: MappingValue, _ names: ArraySlice<String>
  ) throws -> MappingValue {
    if name == "count" {
      if let objects = collection.objects { return .value(.integer(Int64(objects.count))) }
      guard case .value(.list(let items)) = collection else {
        throw MappingFailure("@count needs a collection.")
      }
      return .value(.integer(Int64(items.count)))
    }
    let results = names.isEmpty ? collection : try walk(names, from: collection)
    switch name {
    case "unionOfObjects", "unionOfSets", "unionOfArrays": return results
    case "distinctUnionOfObjects", "distinctUnionOfSets", "distinctUnionOfArrays":
      return distinct(results)
    default:
      guard
        let function = ["sum": .sum, "min": .min, "max": .max, "avg": .average][name]
          as AggregateFunction?
      else { throw MappingFailure("@\(name) is no operator of key paths.") }
      guard case .value(.list(let items)) = results else {
        if let objects = results.objects, objects.isEmpty { return .value(function.value(of: [])) }
        throw MappingFailure("@\(name) needs a collection of values.")
      }
      return .value(function.value(of: items))
    }
  }

  private func distinct(_ results: MappingValue) -> MappingValue {
    if let objects = results.objects {
      var seen: Set<ObjectIdentifier> = []
      return .objects(objects.filter { seen.insert(ObjectIdentifier($0)).inserted })
    }
    guard case .value(.list(let items)) = results else { return results }
    var seen: Set<Value> = []
    return .value(.list(items.filter { seen.insert($0).inserted }))
  }
}
