// SPDX-License-Identifier: MIT

/// The sizes of boxes and of what is in them, in points.
struct BoxMetrics {
  static let head = 34.0
  static let row = 19.0
  static let padding = 12.0
  static let indent = 12.0
  static let nameSize = 13.5
  static let rowSize = 12.0
  static let textSize = 11.0
  /// The room above the first row and below the last one of a group.
  static let groupRoom = 5.0
  private static let narrowest = 130.0
  private static let gap = 18.0
  /// Longer texts end with a sign of what is missing.
  static let longestName = 240.0
  static let longestText = 260.0

  let width: Double
  let height: Double
  /// The top of the group of links within the box.
  let linksTop: Double

  init(_ box: ModelPicture.Box) {
    var width = Self.nameWidth(box.name) + 2 * Self.padding
    if let count = box.count {
      width += Self.gap + TextMeasure.width(Self.text(count), size: Self.textSize)
    }
    for row in box.attributes + box.links {
      let name = min(Self.longestName, TextMeasure.width(row.name, size: Self.rowSize))
      let text = min(Self.longestText, TextMeasure.width(row.text, size: Self.textSize))
      width = max(
        width, name + Double(min(row.depth, 8)) * Self.indent + Self.gap + text + 2 * Self.padding)
    }
    self.width = max(Self.narrowest, width.rounded(.up))
    let attributes = Self.groupHeight(box.attributes.count)
    linksTop = Self.head + attributes
    height = linksTop + Self.groupHeight(box.links.count)
  }

  private static func nameWidth(_ name: String) -> Double {
    min(longestName, TextMeasure.width(name, size: nameSize, isBold: true))
  }

  private static func groupHeight(_ rows: Int) -> Double {
    rows == 0 ? 0 : Double(rows) * row + 2 * groupRoom
  }

  /// The middle of a link's row, from the top of the box.
  func linkMiddle(_ place: Int) -> Double {
    linksTop + Self.groupRoom + (Double(place) + 0.5) * Self.row
  }

  /// A number of rows with a separator of thousands.
  static func text(_ count: Int) -> String {
    var digits = String(count)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}

/// A place in a picture.
struct Point: Hashable {
  var x: Double
  var y: Double
}

/// The place of a box in a picture.
struct Frame: Hashable {
  var x: Double
  var y: Double
  let width: Double
  let height: Double
}
