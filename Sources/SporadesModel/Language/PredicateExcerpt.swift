// SPDX-License-Identifier: MIT

/// Shows the place of a mistake in a format: the format in one line, and a mark below the place.
///
/// A text in quotes is shown as `'…'`, because an error must not tell values.
enum PredicateExcerpt {
  /// The largest number of characters before the mark, and after it.
  private static let reach = (before: 60, after: 30)

  static func make(of format: String, at position: Int) -> String {
    let (line, mark) = shorten(format, position)
    let start = max(0, mark - reach.before)
    let end = min(line.count, mark + reach.after)
    let lead = start > 0 ? "…" : ""
    let shown = lead + String(line[start..<end]) + (end < line.count ? "…" : "")
    return "  \(shown)\n  " + String(repeating: " ", count: lead.count + mark - start) + "^"
  }

  /// The characters of the format without the contents of its texts, and the place of the mark among
  /// them.
  private static func shorten(_ format: String, _ position: Int) -> (line: [Character], mark: Int) {
    var line: [Character] = []
    var mark: Int?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for (index, scalar) in format.unicodeScalars.enumerated() {
      if index == position { mark = line.count }
      if let open = quote {
        if !isEscaped, scalar == open {
          line.append(Character(open))
          quote = nil
        }
        isEscaped = !isEscaped && scalar == "\\"
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
        line += [Character(scalar), "…"]
      } else {
        line.append(scalar.properties.isWhitespace ? " " : Character(scalar))
      }
    }
    return (line, mark ?? line.count)
  }
}

extension FetchPredicateError {
  /// The error with an excerpt of its format.
  package func showing(_ format: String) -> FetchPredicateError {
    guard let position else { return self }
    var error = self
    error.excerpt = PredicateExcerpt.make(of: format, at: position)
    return error
  }
}
