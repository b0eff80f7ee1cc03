// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// An object in a file that Core Data keeps objects in as XML.
struct XMLStoreObject {
  let id: String
  let type: String
  let line: Int
  /// The values of attributes as texts, by names.
  private var values: [String: String] = [:]
  /// The ids of linked objects, in order.
  private var links: [String: [String]] = [:]

  init?(_ element: ModelElement) {
    guard let id = element["id"], let type = element["type"] else { return nil }
    self.id = id
    self.type = type
    line = element.line
    for attribute in element.children("attribute") {
      if let name = attribute["name"] { values[name] = attribute.text }
    }
    for relationship in element.children("relationship") {
      guard let name = relationship["name"], let ids = relationship["idrefs"] else { continue }
      links[name] = ids.split(separator: " ").map(String.init)
    }
  }

  /// The text of an attribute; nil if it is absent or empty.
  func text(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func flag(_ name: String) -> Bool { values[name] == "1" || values[name] == "true" }

  func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

  func hasValue(_ name: String) -> Bool { text(name) != nil }

  /// The bytes of an attribute; nil if the text is not in base 64.
  func bytes(_ name: String) -> [UInt8]? {
    text(name).flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }.map(
      Array.init)
  }

  func ids(_ name: String) -> [String] { links[name] ?? [] }
}
