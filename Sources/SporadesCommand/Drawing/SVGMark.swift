// SPDX-License-Identifier: MIT

/// The signs at the ends of lines.
enum SVGMark {
  /// The sign at a place of a box's side. `direction` is 1 where the line leaves the box to the right, and -1 to the left.
  static func text(_ mark: ModelPicture.Mark, at place: Point, facing direction: Double) -> String {
    func point(_ x: Double, _ y: Double) -> String {
      "\(MarkupText.number(place.x + direction * x)) \(MarkupText.number(place.y + y))"
    }
    func path(_ steps: String) -> String { "<path class=\"mark\" d=\"\(steps)\"/>\n" }
    func bar(_ x: Double) -> String { "M\(point(x, -5))L\(point(x, 5))" }
    func circle(_ x: Double) -> String {
      let (middle, height) = (
        MarkupText.number(place.x + direction * x), MarkupText.number(place.y)
      )
      return "<circle class=\"mark hollow\" cx=\"\(middle)\" cy=\"\(height)\" r=\"3.6\"/>\n"
    }
    let foot = "M\(point(0, -5))L\(point(11, 0))L\(point(0, 5))"
    switch mark {
    case .none: return ""
    case .triangle:
      return
        "<path class=\"inherits hollow\" d=\"M\(point(0.5, 0))L\(point(11.5, -6))L\(point(11.5, 6))z\"/>\n"
    case .one: return path(bar(6) + bar(10))
    case .zeroOrOne: return path(bar(7)) + circle(14.6)
    case .many: return path(foot) + circle(14.6)
    case .oneOrMore: return path(foot + bar(14.5))
    }
  }
}

/// The explanation of the signs, below a picture.
enum SVGLegend {
  private static let entries: [(mark: ModelPicture.Mark, words: String)] = [
    (.one, "one"), (.zeroOrOne, "zero or one"), (.many, "any number"), (.oneOrMore, "one or more"),
    (.triangle, "inherits"),
  ]
  private static let stroke = 34.0
  private static let gap = 22.0

  static var width: Double { entries.reduce(0) { $0 + step($1.words) } }

  private static func step(_ words: String) -> Double {
    stroke + 7 + TextMeasure.width(words, size: BoxMetrics.textSize) + gap
  }

  static var text: String {
    var x = 0.0
    var text = ""
    for (mark, words) in entries {
      let style = mark == .triangle ? "inherits" : "line"
      let (left, right) = (MarkupText.number(x), MarkupText.number(x + stroke))
      // The side of a box, and a line that ends there.
      text += "<path class=\"\(style)\" d=\"M\(right) 0H\(left)\"/>\n"
      text += "<path class=\"edge\" d=\"M\(left) -8V8\"/>\n"
      text += SVGMark.text(mark, at: Point(x: x, y: 0), facing: 1)
      text +=
        "<text class=\"note\" x=\"\(MarkupText.number(x + stroke + 7))\" y=\"4\">\(words)</text>\n"
      x += step(words)
    }
    return text
  }
}
