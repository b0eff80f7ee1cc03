// SPDX-License-Identifier: MIT
import SporadesAccessors

/// An extension overrides what Objective-C knows alone, so overrides move into their class.
extension PortSource {
  /// A member of an extension that overrides one of a superclass.
  private struct Override {
    /// The first attribute or modifier, and the last brace.
    let start: Int
    let close: Int
    /// The first modifier.
    let first: Int
    let modifiers: [String]
  }

  private static let accessLevels: Set<String> = [
    "open", "public", "package", "internal", "fileprivate", "private",
  ]

  /// The items for the extensions of the file.
  func overrideItems() -> [PortItem] {
    let classes = Dictionary(tokens.indices.compactMap(classBody).map { ($0.name, $0) }) {
      first, _ in first
    }
    var items: [PortItem] = []
    for place in tokens.indices where word(place) == "extension" {
      var last = place + 1
      while isSign(".", last + 1) { last += 2 }
      guard let name = name(last), let open = firstBrace(behind: last), let close = partners[open]
      else { continue }
      let hasConditions = (last..<open).contains { word($0) == "where" }
      let access = head(before: place).modifiers.first(where: Self.accessLevels.contains)
      forEachMember(between: open, and: close) { member in
        guard let found = override(at: member) else { return }
        let body = hasConditions ? nil : classes[name]
        items.append(overrideItem(found, of: name, into: body, access: access))
      }
    }
    return items
  }

  private func firstBrace(behind place: Int) -> Int? {
    var place = place + 1
    while let token = token(place), !token.isSign("}") {
      if token.isSign("{") { return place }
      place = (token.isOpening ? partners[place] ?? place : place) + 1
    }
    return nil
  }

  private func override(at place: Int) -> Override? {
    guard let word = word(place), ["func", "var", "subscript"].contains(word) else { return nil }
    let head = head(before: place)
    guard head.modifiers.contains("override"), let open = firstBrace(behind: place),
      let close = partners[open]
    else { return nil }
    let first = (head.start..<place).first {
      self.word($0).map(head.modifiers.contains) == true && !isSign("@", $0 - 1)
    }
    return Override(
      start: head.start, close: close, first: first ?? place, modifiers: head.modifiers)
  }

  private func overrideItem(
    _ found: Override, of name: String, into body: ClassBody?, access: String?
  ) -> PortItem {
    let start = tokens[found.start].start
    guard let body else {
      return PortItem(
        .override, at: start,
        "Without Objective-C, an extension overrides nothing. Move the member into the class \(name)."
      )
    }
    let isOwn = isFirst(found.start) && isLast(found.close)
    let range =
      isOwn
      ? firstLine(above: start)..<lineEnd(tokens[found.close].end)
      : start..<tokens[found.close].end
    let hasAccess = found.modifiers.contains(where: Self.accessLevels.contains)
    let level = access.map { hasAccess || $0 == "internal" ? "" : "\($0) " } ?? ""
    let first = tokens[found.first].start
    let member =
      String(decoding: bytes[range.lowerBound..<first], as: UTF8.self) + level
      + String(decoding: bytes[first..<range.upperBound], as: UTF8.self)
    let target = tokens[body.close].start
    let insertion =
      isFirst(body.close)
      ? PortItem.Edit.insert("\(newline)\(member)\(newline)", at: lineStart(target))
      : .insert("\(newline)\(member)\(newline)\(indent(tokens[body.start].start))", at: target)
    return PortItem(
      .override, at: start,
      "Without Objective-C, an extension overrides nothing: the member moves into the class \(name).",
      [insertion, PortItem.Edit(range: removed(range, isOwn: isOwn), text: "")])
  }

  /// The range with the break of its last line, and with the empty line before it or behind it.
  private func removed(_ range: Range<Int>, isOwn: Bool) -> Range<Int> {
    guard isOwn else { return range.lowerBound..<behindBlanks(range.upperBound) }
    let end = min(range.upperBound + newline.utf8.count, bytes.count)
    let isEmptyNext = end < bytes.count && behindBlanks(end) == lineEnd(end)
    return range
      .lowerBound..<(isEmptyNext ? min(lineEnd(end) + newline.utf8.count, bytes.count) : end)
  }

  /// The first line of the comments and conditions right above a line that belong to its declaration.
  private func firstLine(above place: Int) -> Int {
    var first = lineStart(place)
    while first > 0 {
      let before = lineStart(first - 1)
      let line = bytes[behindBlanks(before)..<first]
      let isPart =
        ["//", "@objc", "#endif"].contains { line.starts(with: $0.utf8) }
        || line.starts(with: Self.condition.utf8)
      guard isPart else { break }
      first = before
    }
    return first
  }
}
