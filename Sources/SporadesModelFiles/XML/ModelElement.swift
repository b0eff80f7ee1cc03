// SPDX-License-Identifier: MIT

/// An element of a model file, with its attributes and inner elements. Text between elements has no meaning
/// in model files, so the reader does not keep it.
struct ModelElement {
  let name: String
  let attributes: [String: String]
  /// The line on which the start tag ends.
  let line: Int
  var children: [ModelElement] = []

  /// The text of an attribute; nil if it is absent or empty, which mean the same in model files.
  subscript(name: String) -> String? {
    attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func children(_ name: String) -> [ModelElement] { children.filter { $0.name == name } }
}
