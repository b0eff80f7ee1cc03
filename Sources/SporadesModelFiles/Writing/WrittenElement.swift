// SPDX-License-Identifier: MIT
import SporadesModel

/// An element of a model file that is to be written. Its attributes keep their order.
struct WrittenElement {
  let name: String
  private(set) var attributes: [(name: String, text: String)] = []
  var children: [WrittenElement] = []

  init(_ name: String, _ children: [WrittenElement] = []) {
    self.name = name
    self.children = children
  }

  /// Adds an attribute, unless the text is nil.
  mutating func set(_ name: String, _ text: String?) {
    if let text { attributes.append((name, text)) }
  }

  /// Adds an attribute whose absence means the same as an empty text.
  mutating func setUnlessEmpty(_ name: String, _ text: String?) {
    if let text, !text.isEmpty { attributes.append((name, text)) }
  }

  /// Adds `YES`, or nothing, because NO is what files leave out.
  mutating func setFlag(_ name: String, _ flag: Bool) {
    if flag { attributes.append((name, "YES")) }
  }
}

/// Renders elements as Xcode does: four spaces for each level, one line for each element.
struct ElementRenderer {
  private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
  private var problems: [ModelError.Problem] = []
  private var entity: String?
  private var property: String?

  private init() {}

  /// The file with the outermost element. The error names each text with a character that XML forbids.
  static func render(_ root: WrittenElement) throws(ModelError) -> String {
    var renderer = ElementRenderer()
    renderer.add(root, depth: 0)
    guard renderer.problems.isEmpty else { throw ModelError(renderer.problems) }
    return renderer.text
  }

  /// One text in the form that a file has it.
  static func escape(_ text: String) throws(ModelError) -> String {
    var renderer = ElementRenderer()
    let escaped = renderer.escaped(text, "text")
    guard renderer.problems.isEmpty else { throw ModelError(renderer.problems) }
    return escaped
  }

  private mutating func add(_ element: WrittenElement, depth: Int) {
    let indentation = String(repeating: "    ", count: depth)
    enter(element, depth: depth)
    text += "\n\(indentation)<\(element.name)"
    for (name, value) in element.attributes {
      text += " \(name)=\"\(escaped(value, name))\""
    }
    guard !element.children.isEmpty else {
      text += "/>"
      return
    }
    text += ">"
    for child in element.children { add(child, depth: depth + 1) }
    text += "\n\(indentation)</\(element.name)>"
  }

  /// Remembers whose texts follow, for the problems.
  private mutating func enter(_ element: WrittenElement, depth: Int) {
    let name = element.attributes.first { $0.name == "name" }?.text
    switch (element.name, depth) {
    case ("entity", _): (entity, property) = (name, nil)
    case ("attribute", 2), ("relationship", _), ("fetchedProperty", _): property = name
    case ("fetchIndex", _), ("uniquenessConstraints", _), ("userInfo", 2): property = nil
    case (_, 1): (entity, property) = (nil, nil)
    default: break
    }
  }

  /// The text in the form that every reader of XML gives back unchanged. A tab or line break would else become
  /// a space.
  private mutating func escaped(_ text: String, _ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "\t", "\n", "\r": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case _ where XMLCharacters.isAllowed(scalar.value): result.append(scalar)
      default: refuse(scalar, name)
      }
    }
    return String(result)
  }

  private mutating func refuse(_ scalar: Unicode.Scalar, _ name: String) {
    let number = String(scalar.value, radix: 16, uppercase: true)
    let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
    problems.append(
      .init(
        .unwritableText, entity: entity, property: property,
        "has the character U+\(digits) in its \(name), which no XML file can hold; remove it, or write a"
          + " compiled model."))
  }
}
