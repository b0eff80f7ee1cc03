// SPDX-License-Identifier: MIT
import SporadesModel

/// Where in the model a part of the file stands.
struct Place {
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
  mutating func report(_ code: ModelError.Code, _ place: Place, _ detail: String) {
    problems.append(
      .init(
        code, entity: place.entity, property: place.property,
        location: .init(file: file, line: place.line), detail))
  }

  mutating func warn(_ code: ModelError.Code, _ place: Place, _ detail: String) {
    warnings.append(
      .init(
        code, entity: place.entity, property: place.property,
        location: .init(file: file, line: place.line), detail))
  }

  /// For elements that hold no properties.
  mutating func passOverUnknown(in element: ModelElement, _ known: Set<String>, _ place: Place) {
    for child in element.children where !known.contains(child.name) {
      warn(
        .malformedFile, Place(child, entity: place.entity, property: place.property),
        "<\(element.name)> holds <\(child.name)>, which no known version of model files has. It is "
          + "passed over.")
    }
  }

  /// For elements that may hold properties.
  mutating func refuseUnknown(in element: ModelElement, _ known: Set<String>, _ place: Place) {
    for child in element.children where !known.contains(child.name) {
      report(
        .malformedFile, Place(child, entity: place.entity, property: place.property),
        "<\(element.name)> holds <\(child.name)>, which no known version of model files has and"
          + " might change what stores hold; remove it or save the model with another Xcode.")
    }
  }

  mutating func required(_ name: String, of element: ModelElement, _ place: Place) -> String? {
    if let text = element[name] { return text }
    report(
      .malformedFile, place, "<\(element.name)> has no \(name), which it needs; write one.")
    return nil
  }

  mutating func flag(
    _ name: String, of element: ModelElement, _ place: Place, default absent: Bool = false
  ) -> Bool {
    guard let text = element[name] else { return absent }
    if let flag = Self.truth(text) { return flag }
    let flag = LenientNumber.truth(text)
    warn(
      .malformedFile, place,
      "has a \(name) that is neither YES nor NO. It is read as \(flag ? "YES" : "NO").")
    return flag
  }

  mutating func count(_ name: String, of element: ModelElement, _ place: Place) -> Int? {
    guard let text = element[name] else { return nil }
    if let count = Int(text) { return count }
    let count = Int(LenientNumber.integer(text))
    warn(.invalidCount, place, "has a \(name) that is no whole number. It is read as \(count).")
    return count
  }

  static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  mutating func userInfo(_ element: ModelElement, _ place: Place) -> [String: String] {
    var userInfo: [String: String] = [:]
    for child in element.children("userInfo") {
      passOverUnknown(in: child, ["entry"], place)
      for entry in child.children("entry") {
        guard let key = entry.attributes["key"] else { continue }
        userInfo[key] = entry.attributes["value"] ?? ""
      }
    }
    return userInfo
  }
}
