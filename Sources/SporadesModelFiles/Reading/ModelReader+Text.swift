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
    report(.malformedFile, place, "has a \(name) that is neither YES nor NO; write one of them.")
    return absent
  }

  mutating func count(_ name: String, of element: ModelElement, _ place: Place) -> Int? {
    guard let text = element[name] else { return nil }
    if let count = Int(text) { return count }
    report(.invalidCount, place, "has a \(name) that is no number; write one.")
    return nil
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
      refuseUnknown(in: child, ["entry"], place)
      for entry in child.children("entry") {
        guard let key = entry.attributes["key"] else { continue }
        userInfo[key] = entry.attributes["value"] ?? ""
      }
    }
    return userInfo
  }
}
