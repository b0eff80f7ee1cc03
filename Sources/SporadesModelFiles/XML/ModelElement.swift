// SPDX-License-Identifier: MIT

/// An element of a file, with its attributes and inner elements.
struct ModelElement {
  let name: String
  let attributes: [String: String]
  /// The line on which the start tag ends.
  let line: Int
  var children: [ModelElement] = []
  /// The text between the inner elements; empty in a model file, where it has no meaning.
  var text = ""

  /// The text of an attribute; nil if it is absent or empty, which mean the same in model files.
  subscript(name: String) -> String? {
    attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func children(_ name: String) -> [ModelElement] { children.filter { $0.name == name } }
}
