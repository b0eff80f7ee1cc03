// SPDX-License-Identifier: MIT
import SporadesModel

// Single values of an element: required texts, flags, counts and user info.
extension ModelReader {
  /// Reads the earlier name of an entity or property; nil if it is the present one.
  func readRenamingIdentifier(of element: ModelElement, _ name: String) -> String? {
    element["elementID"] == name ? nil : element["elementID"]
  }

  /// Reads an attribute, and adds a problem if it is missing.
  mutating func readRequired(_ name: String, of element: ModelElement, _ location: Location)
    -> String?
  {
    if let text = element[name] { return text }
    report(
      .malformedFile, location, "<\(element.name)> has no \(name), but needs one; add it.")
    return nil
  }

  /// Reads YES or NO. Another text gives a warning, and the value that Apple's tools read.
  mutating func readFlag(
    _ name: String, of element: ModelElement, _ location: Location, default absent: Bool = false
  ) -> Bool {
    guard let text = element[name] else { return absent }
    if let flag = Self.truth(text) { return flag }
    let flag = LenientNumber.truth(text)
    warn(
      .malformedFile, location,
      "has a \(name) that is neither YES nor NO. It is read as \(flag ? "YES" : "NO").")
    return flag
  }

  /// Reads a whole number. Another text gives a warning, and the value that Apple's tools read.
  mutating func readCount(_ name: String, of element: ModelElement, _ location: Location) -> Int? {
    guard let text = element[name] else { return nil }
    if let count = Int(text) { return count }
    let count = Int(LenientNumber.integer(text))
    warn(
      .invalidCount, location, "has a \(name) that is not a whole number. It is read as \(count).")
    return count
  }

  static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  mutating func readUserInfo(_ element: ModelElement, _ location: Location) -> [String: String] {
    var userInfo: [String: String] = [:]
    for child in element.children("userInfo") {
      warnOfUnknown(in: child, ["entry"], location)
      for entry in child.children("entry") {
        guard let key = entry.attributes["key"] else { continue }
        userInfo[key] = entry.attributes["value"] ?? ""
      }
    }
    return userInfo
  }
}
