// SPDX-License-Identifier: MIT
import SporadesAccessors

/// The attributes of Objective-C, which Linux refuses, get a condition around them.
extension PortSource {
  static let condition = "#if canImport(ObjectiveC)"

  /// The items for `@objc`, `@objc(Name)` and `@objcMembers`, and for requirements that are optional.
  func attributeItems() -> [PortItem] {
    var items: [PortItem] = []
    var place = 0
    while place < tokens.count {
      if let end = attributeEnd(place) {
        items.append(attributeItem(place...end))
        place = end + 1
      } else {
        if isOptionalRequirement(place) {
          items.append(
            PortItem(
              .requirement, at: tokens[place].start,
              "Only protocols of Objective-C have optional requirements. Make it a plain one, and give it a default in an "
                + "extension of the protocol."))
        }
        place += 1
      }
    }
    return items
  }

  /// The last token of the attribute, or of several in one line, that begins at a token.
  private func attributeEnd(_ place: Int) -> Int? {
    var last: Int?
    var place = place
    while isSign("@", place), let word = word(place + 1), ["objc", "objcMembers"].contains(word) {
      var end = place + 1
      // `@objc (Name)` was allowed with a blank.
      if word == "objc", !isLast(end), isSign("(", end + 1), let close = partners[end + 1] {
        end = close
      }
      last = end
      if isLast(end) { break }
      place = end + 1
    }
    return last
  }

  private func isOptionalRequirement(_ place: Int) -> Bool {
    // `.optional` is a member of something, whatever the next line begins with.
    guard word(place) == "optional", !isSign(".", place - 1), let next = token(place + 1) else {
      return false
    }
    let words: Set<String> = ["func", "var", "init", "subscript", "static"]
    return next.isSign("@") || next.keyword.map(words.contains) == true
  }

  private func attributeItem(_ range: ClosedRange<Int>) -> PortItem {
    let start = tokens[range.lowerBound].start
    let head = head(before: range.lowerBound)
    let edits = head.modifiers.isEmpty ? guardEdits(range) : moveEdits(range, to: head.start)
    let place = head.modifiers.isEmpty ? "" : ", which moves before the modifiers"
    let (bound, note) = classBound(behind: range.upperBound)
    return PortItem(
      .attribute, at: start,
      "\(text(range)) needs Objective-C: a condition goes around it\(place).\(note)",
      edits + bound)
  }

  /// Puts the condition into lines of its own around the attribute.
  private func guardEdits(_ range: ClosedRange<Int>) -> [PortItem.Edit] {
    let (start, end) = (tokens[range.lowerBound].start, tokens[range.upperBound].end)
    let indent = indent(start)
    var edits: [PortItem.Edit] = []
    if isFirst(range.lowerBound) {
      edits.append(.insert("\(indent)\(Self.condition)\(newline)", at: lineStart(start)))
    } else {
      let blanks = bytes[..<start].reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
      edits.append(
        PortItem.Edit(
          range: (start - blanks)..<start,
          text: "\(newline)\(indent)\(Self.condition)\(newline)\(indent)"))
    }
    if isLast(range.upperBound) {
      edits.append(.insert("\(newline)\(indent)#endif", at: lineEnd(end)))
    } else {
      edits.append(
        PortItem.Edit(
          range: end..<behindBlanks(end), text: "\(newline)\(indent)#endif\(newline)\(indent)"))
    }
    return edits
  }

  /// Moves the attribute before the modifiers, because no condition can stand behind them.
  private func moveEdits(_ range: ClosedRange<Int>, to head: Int) -> [PortItem.Edit] {
    let (start, end) = (tokens[range.lowerBound].start, tokens[range.upperBound].end)
    let target = tokens[head].start
    let indent = indent(target)
    let text =
      "\(Self.condition)\(newline)\(indent)\(text(range))\(newline)\(indent)#endif\(newline)\(indent)"
    let insertion = isFirst(head) ? text : "\(newline)\(indent)\(text)"
    let isLine = isFirst(range.lowerBound) && isLast(range.upperBound) && lineEnd(end) == end
    let removed =
      isLine
      ? lineStart(start)..<min(end + newline.utf8.count, bytes.count) : start..<behindBlanks(end)
    return [.insert(insertion, at: target), PortItem.Edit(range: removed, text: "")]
  }

  /// A protocol of Objective-C is for classes alone without saying so.
  private func classBound(behind end: Int) -> (edits: [PortItem.Edit], note: String) {
    let place = behindModifiers(end + 1)
    guard word(place) == "protocol", let name = token(place + 1), isSign("{", place + 2) else {
      return ([], "")
    }
    return (
      [.insert(": AnyObject", at: name.end)],
      " The protocol gets AnyObject, which it has without saying so in Objective-C."
    )
  }
}
