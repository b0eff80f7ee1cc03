// SPDX-License-Identifier: MIT

/// An element of a model file, its attributes and what lies in it; text between elements has no
/// meaning in model files and is not kept.
struct ModelElement {
  let name: String
  let attributes: [String: String]
  /// The line its start tag ends on.
  let line: Int
  var children: [ModelElement] = []

  /// The attribute's text; nil where it is absent or empty, which model files do not tell apart.
  subscript(name: String) -> String? {
    attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func children(_ name: String) -> [ModelElement] { children.filter { $0.name == name } }
}

/// How large a model file may be, so that hostile ones fail early.
enum ModelFileLimit {
  static let bytes = 16 << 20
  /// Real files reach a depth of four.
  static let depth = 32
  static let elements = 200_000
  /// Elements of composites, all uses of each counted: definitions that use one another could
  /// otherwise multiply without bound.
  static let compositeElements = 10_000
}
