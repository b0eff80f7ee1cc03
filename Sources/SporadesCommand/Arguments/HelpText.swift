// SPDX-License-Identifier: MIT

/// The help of a verb, and of the whole program.
struct HelpText {
  /// The longest line.
  private static let width = 80

  /// The version in the changelog, or the next one while that is not out. Scripts/check-command-line compares them.
  static let version = "0.9-dev"
  static let purpose =
    "Looks at stores of Core Data and of Sporades, cares for them, and works on their models."
  static let codes =
    "The process ends with 0 when it is done, with 1 when it found something, with 2 when it was asked wrongly, and with 3 "
    + "when it could not do it. Where the reader of its output has gone, it ends with 141."

  static func text(of verb: Verb) -> String {
    var parts = ["usage: sporades " + usage(of: verb), wrapped(verb.summary + ".", indent: 0)]
    if !verb.operands.isEmpty {
      parts.append(list(verb.operands.map { ($0.name, $0.text) }))
    }
    parts.append(list(verb.allOptions.map { ($0.usage, $0.text) }))
    parts += verb.details.map { wrapped($0, indent: 0) }
    if !verb.examples.isEmpty {
      parts.append("Examples:\n" + verb.examples.map { "  " + $0 }.joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  static func usage(of verb: Verb) -> String {
    let words = [verb.name] + verb.operands.map(\.usage)
    return (words + (verb.options.isEmpty ? [] : ["[options]"])).joined(separator: " ")
  }

  static func text(of verbs: [Verb]) -> String {
    var parts = ["usage: sporades VERB [operands] [options]", wrapped(purpose, indent: 0)]
    for group in VerbGroup.allCases {
      let members = verbs.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      parts.append(group.rawValue + ":\n" + list(members.map { ($0.name, $0.summary) }))
    }
    parts.append(
      wrapped(
        "sporades VERB --help tells more, and sporades --version the version. " + codes, indent: 0))
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Terms, and beside them what they mean.
  private static func list(_ entries: [(term: String, text: String)]) -> String {
    let column = min(24, (entries.map(\.term.count).max() ?? 0) + 4)
    return entries.map { term, text in
      let body = wrapped(text, indent: column)
      guard term.count + 4 <= column else { return "  \(term)\n\(body)" }
      return "  " + term + body.dropFirst(term.count + 2)
    }.joined(separator: "\n")
  }

  /// The words in lines that begin with blanks.
  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    lines.append(line)
    return lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
  }
}
