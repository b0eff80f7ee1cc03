// SPDX-License-Identifier: MIT

/// A part of a user's text, with its place in the whole, for mistakes that point at it.
struct ClauseText {
  let text: String
  /// The number of Unicode scalars before the part.
  let start: Int

  init(_ text: String, start: Int = 0) {
    let blanks = text.unicodeScalars.prefix { $0.properties.isWhitespace }.count
    self.text = text.trimmed
    self.start = start + blanks
  }

  /// The parts between commas that stand in no parenthesis and in no quotes.
  var parts: [ClauseText] {
    var parts: [ClauseText] = []
    var part = ""
    var partStart = start
    var nesting = TextNesting()
    for (place, scalar) in text.unicodeScalars.enumerated() {
      nesting.read(scalar)
      if scalar == ",", nesting.isOutside {
        parts.append(ClauseText(part, start: partStart))
        (part, partStart) = ("", start + place + 1)
      } else {
        part.unicodeScalars.append(scalar)
      }
    }
    return parts + [ClauseText(part, start: partStart)]
  }
}

/// Whether a place in a text of the predicate language stands within quotes or parentheses.
struct TextNesting {
  private var depth = 0
  private var quote: Unicode.Scalar?
  private var isEscaped = false

  var isOutsideQuotes: Bool { quote == nil }
  var isOutside: Bool { depth == 0 && quote == nil }

  mutating func read(_ scalar: Unicode.Scalar) {
    if let open = quote {
      if !isEscaped, scalar == open { quote = nil }
      isEscaped = !isEscaped && scalar == "\\"
      return
    }
    switch scalar {
    case "'", "\"": quote = scalar
    case "(", "{", "[": depth += 1
    case ")", "}", "]": depth = max(0, depth - 1)
    default: break
    }
  }
}
