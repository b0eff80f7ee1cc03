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

extension ClauseText {
  /// The names with points between them that stand outside of quotes.
  var keyPaths: [ClauseText] {
    var paths: [ClauseText] = []
    var path = ""
    var nesting = TextNesting()
    for (place, scalar) in (text + " ").unicodeScalars.enumerated() {
      let isPart =
        nesting.isOutsideQuotes
        && (scalar.properties.isAlphabetic || scalar == "_" || scalar == "."
          || (!path.isEmpty && scalar.properties.numericType != nil))
      nesting.read(scalar)
      if isPart {
        path.unicodeScalars.append(scalar)
      } else if !path.isEmpty {
        paths.append(ClauseText(path, start: start + place - path.unicodeScalars.count))
        path = ""
      }
    }
    return paths
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
