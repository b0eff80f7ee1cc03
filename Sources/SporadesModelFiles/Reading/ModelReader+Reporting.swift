// SPDX-License-Identifier: MIT
import SporadesModel

/// The entity, property and line of a part of the file.
struct Location {
  var entity: String?
  var property: String?
  let line: Int

  init(_ element: ModelElement, entity: String? = nil, property: String? = nil) {
    line = element.line
    self.entity = entity
    self.property = property
  }
}

extension ModelReader {
  /// Adds a problem, which makes the reader refuse the file.
  mutating func report(_ code: ModelError.Code, _ location: Location, _ detail: String) {
    problems.append(
      .init(
        code, entity: location.entity, property: location.property,
        location: .init(file: file, line: location.line), detail))
  }

  /// Adds a warning, with which the reader still returns a model.
  mutating func warn(_ code: ModelError.Code, _ location: Location, _ detail: String) {
    warnings.append(
      .init(
        code, entity: location.entity, property: location.property,
        location: .init(file: file, line: location.line), detail))
  }

  /// Warns of unknown elements within an element that contains no properties.
  mutating func warnOfUnknown(in element: ModelElement, _ known: Set<String>, _ location: Location)
  {
    for child in element.children where !known.contains(child.name) {
      warn(
        .malformedFile, Location(child, entity: location.entity, property: location.property),
        "<\(element.name)> contains <\(child.name)>, which no known version of model files has. It is "
          + "left out.")
    }
  }

  /// Refuses unknown elements within an element that may contain properties.
  mutating func refuseUnknown(in element: ModelElement, _ known: Set<String>, _ location: Location)
  {
    for child in element.children where !known.contains(child.name) {
      report(
        .malformedFile, Location(child, entity: location.entity, property: location.property),
        "<\(element.name)> contains <\(child.name)>, which no known version of model files has and"
          + " which might change the contents of stores; remove it, or save the model with another"
          + " Xcode.")
    }
  }
}
