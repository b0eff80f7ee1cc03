// SPDX-License-Identifier: MIT
import SporadesAccessors

/// Contexts make objects by `init(entity:insertInto:)`, which each managed class with initializers of its own needs.
extension PortSource {
  /// No class or property has more tokens before its brace or value.
  private static let longestHeader = 1_024

  /// A class in the file.
  struct ClassBody {
    let name: String
    let superclass: String?
    let isOpen: Bool
    /// The token `class`, and the braces.
    let start: Int
    let open: Int
    let close: Int
  }

  /// A designated initializer of a class.
  private struct Initializer {
    let place: Int
    let labels: [String]
  }

  /// The items for the managed classes of the file.
  func initializerItems(_ facts: PortFacts) -> [PortItem] {
    tokens.indices.compactMap(classBody).filter {
      facts.isManaged(superclass: $0.superclass)
    }.compactMap(initializerItem)
  }

  func classBody(at place: Int) -> ClassBody? {
    guard word(place) == "class", !isSign(".", place - 1), let name = name(place + 1),
      head(before: place + 2).start >= place || !Self.isMember(name)
    else { return nil }
    var open = place + 2
    var superclass: String?
    var depth = 0
    while let token = token(open), !token.isSign("{") {
      if token.isSign("}") || open - place > Self.longestHeader { return nil }
      if token.isSign("<") { depth += 1 }
      if token.isSign(">") { depth -= 1 }
      if token.isSign(":"), superclass == nil, depth == 0 {
        var last = open + 1
        while isSign(".", last + 1) { last += 2 }
        superclass = self.name(last)
      }
      open += 1
    }
    guard let close = partners.indices.contains(open) ? partners[open] : nil else { return nil }
    return ClassBody(
      name: name, superclass: superclass, isOpen: head(before: place).modifiers.contains("open"),
      start: place, open: open, close: close)
  }

  /// `class func` and `class var` are members.
  private static func isMember(_ word: String) -> Bool {
    ["func", "var", "let", "subscript", "override", "final"].contains(word)
  }

  /// Calls a block with each token between two braces that is in none of the inner brackets.
  func forEachMember(between open: Int, and close: Int, _ visit: (Int) -> Void) {
    var place = open + 1
    while place < close {
      visit(place)
      place = (tokens[place].isOpening ? partners[place] ?? place : place) + 1
    }
  }

  private func initializerItem(_ body: ClassBody) -> PortItem? {
    var found: [Initializer] = []
    forEachMember(between: body.open, and: body.close) { place in
      guard word(place) == "init", !isSign(".", place - 1) else { return }
      guard !head(before: place).modifiers.contains("convenience") else { return }
      guard let open = (place...(place + 2)).first(where: { isSign("(", $0) }) else { return }
      found.append(Initializer(place: place, labels: labels(from: open)))
    }
    guard !found.isEmpty else { return nil }
    if let own = found.first(where: { $0.labels == ["entity", "insertInto"] }) {
      return requiredItem(own)
    }
    return missingItem(body, found[0].place)
  }

  private func labels(from open: Int) -> [String] {
    guard let close = partners[open] else { return [] }
    var labels: [String] = []
    var place = open + 1
    while place < close {
      if place == open + 1 || isSign(",", place - 1) { labels.append(name(place) ?? "") }
      place = (tokens[place].isOpening ? partners[place] ?? close : place) + 1
    }
    return labels
  }

  /// Takes `private` from the initializer, and makes it required.
  private func requiredItem(_ initializer: Initializer) -> PortItem? {
    let head = head(before: initializer.place)
    let hidden = (head.start..<initializer.place).filter {
      ["private", "fileprivate"].contains(word($0)) && !isSign("@", $0 - 1)
    }
    var edits = hidden.map { place in
      PortItem.Edit(range: tokens[place].start..<behindBlanks(tokens[place].end), text: "")
    }
    let first = (head.start...initializer.place).first {
      word($0).map(head.modifiers.contains) == true || $0 == initializer.place
    }
    if !head.modifiers.contains("required"), let first {
      let target = tokens[first].start
      if hidden.contains(first) {
        edits.removeFirst()
        edits.append(
          PortItem.Edit(range: target..<behindBlanks(tokens[first].end), text: "required "))
      } else {
        edits.append(.insert("required ", at: target))
      }
    }
    guard !edits.isEmpty else { return nil }
    return PortItem(
      .initializer, at: tokens[initializer.place].start,
      "Contexts make objects by init(entity:insertInto:), so it becomes required\(hidden.isEmpty ? "" : ", and is private no more").",
      edits)
  }

  // MARK: - A missing initializer

  private func missingItem(_ body: ClassBody, _ present: Int) -> PortItem? {
    if let property = firstWithoutValue(body) {
      return PortItem(
        .initializer, at: tokens[body.start].start,
        "Contexts make objects of \(body.name) by init(entity:insertInto:), which the class does not have. Write it as required, "
          + "with a value for \(property).")
    }
    let (close, indent) = (tokens[body.close].start, indent(tokens[present].start))
    let outer = self.indent(tokens[body.start].start)
    let step =
      indent.hasPrefix(outer) && indent.count > outer.count
      ? String(indent.dropFirst(outer.count)) : "  "
    let access = body.isOpen ? "public " : ""
    let lines = [
      "\(outer)\(step)\(access)required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {",
      "\(outer)\(step)\(step)super.init(entity: entity, insertInto: context)", "\(outer)\(step)}",
    ].joined(separator: newline)
    let edit =
      isFirst(body.close)
      ? PortItem.Edit.insert("\(newline)\(lines)\(newline)", at: lineStart(close))
      : .insert("\(newline)\(lines)\(newline)\(outer)", at: close)
    return PortItem(
      .initializer, at: tokens[body.start].start,
      "Contexts make objects of \(body.name) by init(entity:insertInto:), which the class gets.",
      [edit])
  }

  /// The first stored property that gets its value in initializers alone.
  private func firstWithoutValue(_ body: ClassBody) -> String? {
    var found: String?
    forEachMember(between: body.open, and: body.close) { place in
      guard found == nil, let word = word(place), ["let", "var"].contains(word),
        let name = name(place + 1)
      else { return }
      let head = head(before: place)
      guard !["static", "class", "lazy"].contains(where: head.modifiers.contains),
        !(head.start..<place).contains(where: { self.word($0) == "NSManaged" })
      else { return }
      if !hasValue(place, isConstant: word == "let", before: body.close) { found = name }
    }
    return found
  }

  /// Whether a value, accessors or an optional type follow in the same line or the next one.
  private func hasValue(_ start: Int, isConstant: Bool, before close: Int) -> Bool {
    var place = start + 1
    while place < min(close, start + Self.longestHeader) {
      if isSign("=", place) || isSign("{", place) { return true }
      if tokens[place].isOpening, let partner = partners[place] { place = partner }
      if isLast(place) {
        if isSign("=", place + 1) || isSign("{", place + 1) { return true }
        return !isConstant && (isSign("?", place) || isSign("!", place))
      }
      place += 1
    }
    return false
  }
}
