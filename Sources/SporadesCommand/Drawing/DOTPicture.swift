// SPDX-License-Identifier: MIT

/// A picture of a model in the language of Graphviz, which lays it out.
enum DOTPicture {
  static func text(_ picture: ModelPicture) -> String {
    var lines = [
      "digraph \(quoted(picture.title)) {",
      "  graph [rankdir=LR, nodesep=0.5, ranksep=1.2, labelloc=t, fontname=\"Helvetica\", label=\(quoted(picture.title))]",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11]",
      "  edge [dir=both, color=\"#64748b\", arrowsize=0.9]",
    ]
    for (place, box) in picture.boxes.enumerated() {
      lines.append("  n\(place) [label=<\(table(box))>]")
    }
    for line in picture.lines { lines.append("  \(edge(line))") }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private static func table(_ box: ModelPicture.Box) -> String {
    let name = MarkupText.escaped(box.name)
    let title = box.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
    let count = box.isAbstract ? nil : box.count
    let head =
      "<tr><td port=\"head\" colspan=\"2\" bgcolor=\"#edf1f6\">\(title)"
      + (count.map { "  <font color=\"#69758a\">\(BoxMetrics.text($0))</font>" } ?? "")
      + "</td></tr>"
    let attributes = box.attributes.map { row($0, link: nil) }
    let links = box.links.enumerated().map { row($1, link: $0) }
    return
      "<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" color=\"#c3cad3\">"
      + head + (attributes + links).joined() + "</table>"
  }

  private static func row(_ row: ModelPicture.Row, link: Int?) -> String {
    let blanks = String(repeating: "&#160;&#160;", count: min(row.depth, 8))
    let name = blanks + MarkupText.escaped(row.name)
    let left = link.map { " port=\"l\($0)\"" } ?? ""
    let right = link.map { " port=\"r\($0)\"" } ?? ""
    return
      "<tr><td align=\"left\"\(left)>\(row.isTransient ? "<i>\(name)</i>" : name)</td>"
      + "<td align=\"right\"\(right)><font color=\"#69758a\">\(MarkupText.escaped(row.text))</font></td></tr>"
  }

  private static func edge(_ line: ModelPicture.Line) -> String {
    func place(_ end: ModelPicture.End, _ side: String, _ compass: String) -> String {
      "n\(end.box):\(end.link.map { "\(side)\($0)" } ?? "head"):\(compass)"
    }
    let from = place(line.from, "r", "e")
    let to = line.isLoop ? place(line.to, "r", "e") : place(line.to, "l", "w")
    let color = line.isInheritance ? ", color=\"#a08bc0\"" : ""
    return
      "\(from) -> \(to) [arrowtail=\(arrow(line.from.mark)), "
      + "arrowhead=\(arrow(line.to.mark))\(color)]"
  }

  private static func arrow(_ mark: ModelPicture.Mark) -> String {
    switch mark {
    case .none: "none"
    case .triangle: "empty"
    case .one: "teetee"
    case .zeroOrOne: "teeodot"
    case .many: "crowodot"
    case .oneOrMore: "crowtee"
    }
  }

  /// The text in quotes, as Graphviz reads it.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in TextTable.harmless(text) {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "\""
  }
}
