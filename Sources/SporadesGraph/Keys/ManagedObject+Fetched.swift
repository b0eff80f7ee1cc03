// SPDX-License-Identifier: MIT
package import SporadesModel

// Fetched properties. Each access executes the fetch again.
extension ManagedObject {
  /// The objects that the property's fetch finds. In its predicate, `$FETCH_SOURCE` is this object
  /// and `$FETCHED_PROPERTY` is the description of the property. If the fetch fails, the context
  /// reports it and the result is empty.
  final func fetched(_ property: FetchedPropertyDescription) -> [ManagedObject] {
    if home.context == nil { refuseReading(property.name) }
    guard let context = home.context, !state.contains(.gone) else { return [] }
    do {
      var request = property.request
      request.predicate = try request.predicate.map { predicate in
        var values: [String: Value] = [:]
        for name in predicate.variableNames {
          let path = name.split(separator: ".").map(String.init)
          switch path[0] {
          case "FETCH_SOURCE": values[name] = try value(atPath: path.dropFirst())
          case "FETCHED_PROPERTY": values[name] = try property.value(atPath: path.dropFirst())
          default: continue
          }
        }
        return predicate.substituting(values)
      }
      return try context.fetch(request)
    } catch {
      context.report(.unfetched(objectID, property: property.name, error))
      return []
    }
  }

  /// The value at the end of a key path; a list if a step is to-many.
  fileprivate final func value(atPath path: ArraySlice<String>) throws(FetchPredicateError) -> Value
  {
    guard let name = path.first else { return .objectID(objectID) }
    switch home.shape[name] {
    case .attribute(var attribute):
      for name in path.dropFirst() {
        guard let element = attribute.elements.first(where: { $0.name == name }) else {
          throw unknown(path)
        }
        attribute = element
      }
      return value(of: attribute)
    case .relationship(let relationship):
      let rest = path.dropFirst()
      guard !relationship.isToMany else {
        var values: [Value] = []
        for member in members(relationship) { values.append(try member.value(atPath: rest)) }
        return .list(values)
      }
      return try target(of: relationship)?.value(atPath: rest) ?? .null
    case .fetched, nil: throw unknown(path)
    }
  }

  private final func unknown(_ path: ArraySlice<String>) -> FetchPredicateError {
    FetchPredicateError(
      .unknownKeyPath, home.shape.describeMissingProperty(path.joined(separator: ".")))
  }
}

extension ManagedObject: PredicateSource {
  /// The value at the end of a key path behind a variable.
  package func predicateValue(
    at path: ArraySlice<String>
  ) throws(FetchPredicateError) -> Value { try value(atPath: path) }
}

extension FetchedPropertyDescription {
  /// The value that `$FETCHED_PROPERTY` followed by the path stands for in a predicate.
  fileprivate func value(atPath path: ArraySlice<String>) throws(FetchPredicateError) -> Value {
    if path == ["name"] { return .string(name) }
    if path.first == "userInfo", path.count > 1 {
      let key = path.dropFirst().joined(separator: ".")
      return userInfo[key].map(Value.string) ?? .null
    }
    throw FetchPredicateError(
      .unknownKeyPath,
      "$FETCHED_PROPERTY of \(name) has no \(path.joined(separator: ".")). A predicate can "
        + "use its name and the keys of its userInfo.")
  }
}
