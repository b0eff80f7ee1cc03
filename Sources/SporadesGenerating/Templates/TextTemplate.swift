// SPDX-License-Identifier: MIT
import SporadesModel

/// A value that a template prints or asks.
enum TemplateValue: Sendable {
  case text(String)
  case flag(Bool)
  case list([TemplateValue])
  case record([String: TemplateValue])

  /// A section over the value is printed.
  var isPresent: Bool {
    switch self {
    case .text(let text): !text.isEmpty
    case .flag(let flag): flag
    case .list(let members): !members.isEmpty
    case .record: true
    }
  }
}

/// A text with places: `{{name}}` prints a value, `{{#attributes}}…{{/attributes}}` repeats its inside for each member of a
/// list or keeps it where a value is there, `{{^isOptional}}…{{/isOptional}}` keeps it where a value is not, and
/// `{{! … }}` is a remark.
struct TextTemplate: Sendable {
  private indirect enum Part: Sendable {
    case text(Substring)
    case value(String, line: Int)
    case section(String, isInverted: Bool, [Part], line: Int)
  }

  private let parts: [Part]
  private let file: String

  /// The largest number of sections in one another.
  private static let depth = 32

  /// Reads a template. `file` is its name in sentences.
  init(_ text: String, file: String) throws(GenerationError) {
    self.file = file
    var reader = Reader(text, file: file)
    parts = try reader.parts(until: nil, depth: 0)
  }

  func text(_ data: TemplateValue) throws(GenerationError) -> String {
    var output = ""
    try print(parts, [data], &output)
    return output
  }

  // MARK: - Printing

  /// Prints parts. The last scope is the innermost one.
  private func print(
    _ parts: [Part], _ scopes: [TemplateValue], _ output: inout String
  ) throws(GenerationError) {
    for part in parts {
      switch part {
      case .text(let text): output += text
      case .value(let name, let line):
        switch try value(name, scopes, line) {
        case .text(let text): output += text
        case .flag(let flag): output += flag ? "true" : "false"
        case .list, .record:
          throw refusal(
            line, "\(name) is no text; write {{#\(name)}} and {{/\(name)}} around a text.")
        }
      case .section(let name, let isInverted, let inside, let line):
        let value = try value(name, scopes, line)
        if isInverted {
          if !value.isPresent { try print(inside, scopes, &output) }
        } else if case .list(let members) = value {
          for member in members { try print(inside, scopes + [member], &output) }
        } else if value.isPresent {
          try print(inside, scopes + [value], &output)
        }
      }
    }
  }

  /// The value of a name in the innermost scope that has it. Points lead into records.
  private func value(
    _ name: String, _ scopes: [TemplateValue], _ line: Int
  ) throws(GenerationError) -> TemplateValue {
    if name == ".", let last = scopes.last { return last }
    let path = name.split(separator: ".").map(String.init)
    var known: [String] = []
    for scope in scopes.reversed() {
      guard case .record(let members) = scope else { continue }
      guard let first = path.first, var value = members[first] else {
        known += members.keys
        continue
      }
      for step in path.dropFirst() {
        guard case .record(let members) = value, let next = members[step] else {
          throw refusal(line, "there is no value \(name).")
        }
        value = next
      }
      return value
    }
    throw refusal(
      line, "there is no value \(name).\(NearNames(name, among: known.sorted()).hint)")
  }

  private func refusal(_ line: Int, _ sentence: String) -> GenerationError {
    GenerationError(["\(file):\(line): \(sentence)"])
  }
}

extension TextTemplate {
  /// Reads the parts of a template from its beginning to its end.
  private struct Reader {
    private var rest: Substring
    private let file: String
    private var line = 1
    /// The line has nothing but blanks before the place of reading.
    private var isLineBlank = true

    init(_ text: String, file: String) {
      rest = text[...]
      self.file = file
    }

    /// Reads parts up to the end of a section, or of the text.
    mutating func parts(until name: String?, depth: Int) throws(GenerationError) -> [Part] {
      let start = line
      guard depth <= TextTemplate.depth else {
        throw refusal(line, "more than \(TextTemplate.depth) sections lie in one another.")
      }
      var parts: [Part] = []
      while let opening = rest.firstRange(of: "{{") {
        take(rest[..<opening.lowerBound], &parts)
        let tagLine = line
        rest = rest[opening.upperBound...]
        guard let closing = rest.firstRange(of: "}}") else {
          throw refusal(tagLine, "a place begins with {{ and has no }}.")
        }
        let tag = rest[..<closing.lowerBound]
        line += tag.count { $0.isNewline }
        rest = rest[closing.upperBound...]
        let sign = tag.first
        let word = Self.trimmed(sign.map { "#^/!".contains($0) } == true ? tag.dropFirst() : tag)
        switch sign {
        case "!": dropLine(&parts)
        case "/":
          guard word == name else {
            throw refusal(
              tagLine, "{{/\(word)}} ends \(name.map { "{{#\($0)}}" } ?? "no section").")
          }
          dropLine(&parts)
          return parts
        case "#", "^":
          dropLine(&parts)
          let inside = try self.parts(until: word, depth: depth + 1)
          parts.append(.section(word, isInverted: sign == "^", inside, line: tagLine))
        default:
          isLineBlank = false
          parts.append(.value(word, line: tagLine))
        }
      }
      guard name == nil else {
        throw refusal(start, "the section {{#\(name ?? "")}} has no {{/\(name ?? "")}}.")
      }
      take(rest, &parts)
      return parts
    }

    private mutating func take(_ text: Substring, _ parts: inout [Part]) {
      guard !text.isEmpty else { return }
      line += text.count { $0.isNewline }
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let lastLine = lines.last
      let isBlank = lastLine?.allSatisfy(Self.isBlank) == true
      isLineBlank = isBlank && (isLineBlank || lastLine?.count != text.count)
      parts.append(.text(text))
    }

    /// A tag that prints nothing takes its line with it, if there is nothing else in the line.
    private mutating func dropLine(_ parts: inout [Part]) {
      let end = rest.firstIndex { !Self.isBlank($0) }
      guard isLineBlank, end.map({ rest[$0].isNewline }) ?? true else {
        isLineBlank = false
        return
      }
      if case .text(let before)? = parts.last {
        let kept = before.lastIndex { !Self.isBlank($0) }.map { before[...$0] }
        parts[parts.count - 1] = .text(kept ?? "")
      }
      rest = end.map { rest[rest.index(after: $0)...] } ?? ""
      line += 1
    }

    private static func isBlank(_ character: Character) -> Bool {
      character == " " || character == "\t"
    }

    private func refusal(_ line: Int, _ sentence: String) -> GenerationError {
      GenerationError(["\(file):\(line): \(sentence)"])
    }

    private static func trimmed(_ text: Substring) -> String {
      var text = text
      while text.first?.isWhitespace == true { text.removeFirst() }
      while text.last?.isWhitespace == true { text.removeLast() }
      return String(text)
    }
  }
}

extension Substring {
  /// The first place of a short text.
  fileprivate func firstRange(of sign: String) -> Range<Index>? {
    var start = startIndex
    while let found = self[start...].firstIndex(of: sign.first ?? " ") {
      if self[found...].hasPrefix(sign) { return found..<index(found, offsetBy: sign.count) }
      start = index(after: found)
    }
    return nil
  }
}
