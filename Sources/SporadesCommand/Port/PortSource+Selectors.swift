// SPDX-License-Identifier: MIT
import SporadesAccessors

/// Calls by selector. Observers of notifications get a block on Linux where it does the same; others are left to the user.
extension PortSource {
  /// The items for `#selector`, `Selector(…)` and observers.
  func selectorItems() -> [PortItem] {
    var items: [PortItem] = []
    let removes = removesObservers
    let methods = methods
    for place in tokens.indices {
      if isSign("#", place), word(place + 1) == "selector", isSign("(", place + 2) {
        let call = removes ? nil : observerCall(at: place, methods)
        items.append(call.map(observerItem) ?? leftSelector(place, removes))
      } else if word(place) == "Selector", isSign("(", place + 1), !isSign(".", place - 1) {
        items.append(
          PortItem(
            .selector, at: tokens[place].start,
            "Selectors need Objective-C. Call the method itself, or a closure."))
      }
    }
    return items
  }

  private func leftSelector(_ place: Int, _ removes: Bool) -> PortItem {
    let text = partners[place + 2].map { self.text(place...$0) } ?? "#selector"
    guard word(place - 2) == "selector", word(place - 6) == "addObserver" else {
      return PortItem(
        .selector, at: tokens[place].start,
        "\(text) needs Objective-C. Call the method itself, or a closure.")
    }
    return PortItem(
      .selector, at: tokens[place].start,
      "\(text) needs Objective-C. Write addObserver(forName:object:queue:) with a block, keep the token that it returns, and "
        + "remove that where the object ends\(removes ? " or removeObserver is called" : "").")
  }

  // MARK: - Observers

  /// `center.addObserver(self, selector: #selector(method), name: name, object: object)`, a statement of its own.
  private struct ObserverCall {
    let tokens: ClosedRange<Int>
    let selector: Int
    let center: String
    let name: String
    let object: String
    /// The method's call on the object `observer`, with the notification as `$0`.
    let method: String
  }

  /// A method of the file removes observers before the object ends. A token would have to be kept for it.
  private var removesObservers: Bool {
    var place = 0
    while place < tokens.count {
      if word(place) == "removeObserver" { return true }
      if word(place) == "deinit", isSign("{", place + 1), let close = partners[place + 1] {
        place = close
      }
      place += 1
    }
    return false
  }

  private func observerCall(at place: Int, _ methods: [String: [Int]]) -> ObserverCall? {
    guard isSign(":", place - 1), word(place - 2) == "selector", isSign(",", place - 3),
      word(place - 4) == "self", isSign("(", place - 5), word(place - 6) == "addObserver",
      isSign(".", place - 7), let close = partners[place - 5], isLast(close),
      let selectorEnd = partners[place + 2], let start = receiverStart(before: place - 7),
      let method = method(place + 3, selectorEnd - 1, methods), !isInStaticFunction(start)
    else { return nil }
    guard isSign(",", selectorEnd + 1), word(selectorEnd + 2) == "name",
      let comma = comma(behind: selectorEnd + 4, before: close), word(comma + 1) == "object",
      comma + 3 < close
    else { return nil }
    return ObserverCall(
      tokens: start...close, selector: place, center: text(start...(place - 8)),
      name: text((selectorEnd + 4)...(comma - 1)), object: text((comma + 3)...(close - 1)),
      method: method)
  }

  /// The first token of a chain of names, if it begins a line and no operator stands before it.
  private func receiverStart(before point: Int) -> Int? {
    var start = point - 1
    guard name(start) != nil else { return nil }
    while isSign(".", start - 1), name(start - 2) != nil { start -= 2 }
    guard isFirst(start), let before = token(start - 1) else { return nil }
    switch before.kind {
    case .sign:
      return [")", "}", "{", "]", ";", "?", "!"].contains { before.isSign($0) } ? start : nil
    case .word(let word):
      return ["return", "try", "in"].contains(word) && word != "in" ? nil : start
    case .quotedWord, .text, .regex: return start
    }
  }

  /// Whether `self` is a class there, and no object.
  private func isInStaticFunction(_ place: Int) -> Bool {
    var brace = enclosing[place]
    // No code nests deeper.
    for _ in 0..<64 {
      guard let open = brace else { return false }
      var header = open - 1
      while header >= 0, open - header < Self.mostHeaderTokens {
        if isSign("{", header) || isSign(";", header) || word(header) == "init" { break }
        if isSign("}", header) { break }
        if word(header) == "func" {
          return ["static", "class"].contains(where: head(before: header).modifiers.contains)
        }
        header = (tokens[header].isClosing ? partners[header] ?? header : header) - 1
      }
      brace = enclosing[open]
    }
    return false
  }

  /// No function has more tokens before its brace.
  private static let mostHeaderTokens = 256

  /// The comma that ends the argument at a token.
  private func comma(behind start: Int, before close: Int) -> Int? {
    var place = start
    while place < close {
      if isSign(",", place) { return place > start ? place : nil }
      place = (tokens[place].isOpening ? partners[place] ?? close : place) + 1
    }
    return nil
  }

  /// The opening parentheses of the file's methods, by their names.
  private var methods: [String: [Int]] {
    tokens.indices.reduce(into: [:]) { methods, place in
      if word(place) == "func", let name = name(place + 1), isSign("(", place + 2) {
        methods[name, default: []].append(place + 2)
      }
    }
  }

  /// The call of the method that a selector names, which the file declares once and with at most one parameter.
  private func method(_ first: Int, _ last: Int, _ methods: [String: [Int]]) -> String? {
    var place = first
    while isSign(".", place + 1), name(place) != nil { place += 2 }
    guard place <= last, let name = name(place), let found = methods[name], found.count == 1,
      let close = partners[found[0]]
    else { return nil }
    let open = found[0]
    guard !["async", "throws"].contains(word(close + 1) ?? "") else { return nil }
    let result = isSign("-", close + 1) && isSign(">", close + 2) ? "_ = " : ""
    if close == open + 1 { return "\(result)observer?.\(name)()" }
    guard let label = self.name(open + 1), comma(behind: open + 1, before: close) == nil else {
      return nil
    }
    return "\(result)observer?.\(name)(\(label == "_" ? "" : "\(label): ")$0)"
  }

  private func observerItem(_ call: ObserverCall) -> PortItem {
    let (first, last) = (
      tokens[call.tokens.lowerBound].start, tokens[call.tokens.upperBound].end
    )
    let indent = indent(first)
    // Unsafe in the text only as the selector is: the method runs where the notification is posted.
    let block = [
      "#else", "do {",
      "  // The block stays when the object has gone, and does nothing then.",
      "  nonisolated(unsafe) weak let observer = self",
      "  _ = \(call.center).addObserver(forName: \(call.name), object: \(call.object), queue: nil) {",
      "    \(call.method)", "  }", "}", "#endif",
    ].map { newline + indent + $0 }.joined()
    return PortItem(
      .selector, at: tokens[call.selector].start,
      "#selector needs Objective-C: on Linux, a block calls the method. It stays registered when the object has gone, and does "
        + "nothing then.",
      [
        .insert("\(indent)#if canImport(ObjectiveC)\(newline)", at: lineStart(first)),
        .insert(block, at: lineEnd(last)),
      ])
  }
}
