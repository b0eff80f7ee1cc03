// SPDX-License-Identifier: MIT

/// The content of a picture of a model: boxes for entities, and lines for relationships and inheritance.
struct ModelPicture {
  let title: String
  var boxes: [Box] = []
  var lines: [Line] = []

  /// An entity.
  struct Box {
    let name: String
    let isAbstract: Bool
    /// The number of rows in a store; nil without a store.
    let count: Int?
    var attributes: [Row] = []
    var links: [Row] = []
  }

  /// A property of an entity.
  struct Row {
    let name: String
    /// The type, or the destination with its cardinality.
    let text: String
    /// The depth within composites.
    var depth = 0
    /// No store keeps the property.
    var isTransient = false
  }

  /// A relationship with its inverse, or an inheritance. Layouts prefer its beginning on the left.
  struct Line {
    let from: End
    let to: End
    let isInheritance: Bool

    var isLoop: Bool { from.box == to.box }
  }

  /// The end of a line at a box.
  struct End: Hashable {
    let box: Int
    /// The place of a row among the box's links; nil for the box's head.
    let link: Int?
    let mark: Mark
  }

  /// The sign at the end of a line.
  enum Mark: Hashable {
    case none, triangle, one, zeroOrOne, many, oneOrMore
  }
}
