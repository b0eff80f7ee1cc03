// SPDX-License-Identifier: MIT

/// A picture of a model as SVG.
struct SVGPicture {
  private static let border = 36.0
  private static let titleRoom = 44.0
  private static let legendRoom = 40.0
  private let picture: ModelPicture
  private let layout: PictureLayout
  private var text = ""

  /// The picture as text.
  static func text(_ picture: ModelPicture, _ layout: PictureLayout) -> String {
    var svg = SVGPicture(picture: picture, layout: layout)
    svg.addAll()
    return svg.text
  }

  private init(picture: ModelPicture, layout: PictureLayout) {
    (self.picture, self.layout) = (picture, layout)
  }

  private mutating func addAll() {
    let titleWidth = TextMeasure.width(picture.title, size: 20, isBold: true)
    let content = max(layout.width, titleWidth, SVGLegend.width)
    let width = content + 2 * Self.border
    let height = layout.height + 2 * Self.border + Self.titleRoom + Self.legendRoom
    let (w, h) = (MarkupText.number(width), MarkupText.number(height))
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(w)\" height=\"\(h)\" ")
    add("viewBox=\"0 0 \(w) \(h)\" role=\"img\">\n")
    add("<title>\(MarkupText.escaped(picture.title))</title>\n")
    add("<style>\n\(SVGStyle.sheet)\n</style>\n")
    add("<rect class=\"page\" width=\"\(w)\" height=\"\(h)\"/>\n")
    add(
      "<text class=\"title\" x=\"\(MarkupText.number(Self.border))\" y=\"\(MarkupText.number(Self.border + 16))\">"
        + "\(MarkupText.escaped(picture.title))</text>\n")
    let top = MarkupText.number(Self.border + Self.titleRoom)
    let left = MarkupText.number(Self.border + (content - layout.width) / 2)
    add("<g transform=\"translate(\(left) \(top))\">\n")
    for place in picture.lines.indices { addLine(place) }
    for place in picture.boxes.indices { addBox(place) }
    add("</g>\n")
    let bottom = MarkupText.number(height - Self.border - 6)
    add("<g transform=\"translate(\(MarkupText.number(Self.border)) \(bottom))\">\n")
    add(SVGLegend.text)
    add("</g>\n</svg>\n")
  }

  private mutating func add(_ piece: String) { text += piece }

  // MARK: - Boxes

  private mutating func addBox(_ place: Int) {
    let (box, frame) = (picture.boxes[place], layout.frames[place])
    let (w, h) = (MarkupText.number(frame.width), MarkupText.number(frame.height))
    let head = MarkupText.number(BoxMetrics.head)
    add(
      "<g transform=\"translate(\(MarkupText.number(frame.x)) \(MarkupText.number(frame.y)))\">\n"
        + "<title>\(MarkupText.escaped(box.name))</title>\n"
        + "<rect class=\"box\" width=\"\(w)\" height=\"\(h)\" rx=\"7\"/>\n")
    let isBare = box.attributes.isEmpty && box.links.isEmpty
    let bottom = isBare ? "a6.5 6.5 0 0 1 -6.5 6.5H7a6.5 6.5 0 0 1 -6.5 -6.5" : "V\(head)H0.5V7"
    let drop = isBare ? "V\(MarkupText.number(BoxMetrics.head - 7))" : ""
    add(
      "<path class=\"\(box.isAbstract ? "abstract" : "head")\" d=\"M0.5 7a6.5 6.5 0 0 1 6.5 -6.5"
        + "H\(MarkupText.number(frame.width - 7))a6.5 6.5 0 0 1 6.5 6.5\(drop)\(bottom)z\"/>\n")
    if !isBare { addRule("edge", BoxMetrics.head, frame.width, inset: 0) }
    let name = TextMeasure.shortened(
      box.name, to: BoxMetrics.longestName, size: BoxMetrics.nameSize, isBold: true)
    addText(box.isAbstract ? "name italic" : "name", BoxMetrics.padding, 22, name)
    if let count = box.count, !box.isAbstract {
      addText("note end", frame.width - BoxMetrics.padding, 21.5, BoxMetrics.text(count))
    }
    var y = BoxMetrics.head + BoxMetrics.groupRoom
    for row in box.attributes { addRow(row, &y, frame.width) }
    let linksTop = layout.linksTop(of: place)
    if !box.attributes.isEmpty, !box.links.isEmpty {
      addRule("rule", linksTop, frame.width, inset: BoxMetrics.padding)
    }
    y = linksTop + BoxMetrics.groupRoom
    for link in layout.linkOrder[place] { addRow(box.links[link], &y, frame.width) }
    add("</g>\n")
  }

  private mutating func addRule(_ style: String, _ y: Double, _ width: Double, inset: Double) {
    let (left, right) = (MarkupText.number(inset), MarkupText.number(width - inset))
    let height = MarkupText.number(y)
    add("<path class=\"\(style)\" d=\"M\(left) \(height)H\(right)\"/>\n")
  }

  private mutating func addText(_ style: String, _ x: Double, _ y: Double, _ words: String) {
    add(
      "<text class=\"\(style)\" x=\"\(MarkupText.number(x))\" y=\"\(MarkupText.number(y))\">"
        + "\(MarkupText.escaped(words))</text>\n")
  }

  private mutating func addRow(_ row: ModelPicture.Row, _ y: inout Double, _ width: Double) {
    let base = y + 13.5
    y += BoxMetrics.row
    let name = TextMeasure.shortened(
      row.name, to: BoxMetrics.longestName, size: BoxMetrics.rowSize)
    let words = TextMeasure.shortened(
      row.text, to: BoxMetrics.longestText, size: BoxMetrics.textSize)
    addText(
      row.isTransient ? "row italic" : "row",
      BoxMetrics.padding + Double(min(row.depth, 8)) * BoxMetrics.indent, base, name)
    addText("note end", width - BoxMetrics.padding, base, words)
  }

  // MARK: - Lines

  private mutating func addLine(_ place: Int) {
    let (line, route) = (picture.lines[place], layout.routes[place])
    guard route.count > 1, let first = route.first, let last = route.last else { return }
    add("<g class=\"line-group\">\n")
    add(
      "<path class=\"\(line.isInheritance ? "inherits" : "line")\" d=\"\(SVGPath.rounded(route))\"/>\n"
    )
    add(SVGMark.text(line.from.mark, at: first, facing: route[1].x < first.x ? -1 : 1))
    let before = route[route.count - 2]
    add(SVGMark.text(line.to.mark, at: last, facing: before.x < last.x ? -1 : 1))
    add("</g>\n")
  }
}

/// Paths of lines.
enum SVGPath {
  private static let radius = 7.0

  /// A path through corners, which it rounds.
  static func rounded(_ route: [Point]) -> String {
    var path = "M\(MarkupText.number(route[0].x)) \(MarkupText.number(route[0].y))"
    for place in 1..<route.count {
      let (before, corner) = (route[place - 1], route[place])
      guard place + 1 < route.count else {
        path += "L" + pair(corner)
        break
      }
      let after = route[place + 1]
      let radius = min(Self.radius, length(before, corner) / 2, length(corner, after) / 2)
      path += "L" + pair(moved(corner, to: before, by: radius))
      path += "Q" + pair(corner) + " " + pair(moved(corner, to: after, by: radius))
    }
    return path
  }

  private static func pair(_ point: Point) -> String {
    "\(MarkupText.number(point.x)) \(MarkupText.number(point.y))"
  }

  private static func length(_ one: Point, _ other: Point) -> Double {
    abs(one.x - other.x) + abs(one.y - other.y)
  }

  private static func moved(_ point: Point, to other: Point, by distance: Double) -> Point {
    let length = length(point, other)
    guard length > 0 else { return point }
    return Point(
      x: point.x + (other.x - point.x) / length * distance,
      y: point.y + (other.y - point.y) / length * distance)
  }
}
