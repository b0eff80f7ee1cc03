// SPDX-License-Identifier: MIT

/// The manual page, in the language of troff, from the same texts as the help.
struct ManualPage {
  let verbs: [Verb]

  var text: String {
    var lines = [
      ".TH SPORADES 1 \"\" \"Sporades\"", ".SH NAME",
      "sporades \\- look at stores of Core Data, and care for them",
      ".SH SYNOPSIS", ".B sporades", ".I VERB", "[operands] [options]", ".SH DESCRIPTION",
      Self.escaped(HelpText.purpose), ".SH EXIT STATUS", Self.escaped(HelpText.codes),
    ]
    for group in VerbGroup.allCases {
      let members = verbs.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      lines.append(".SH \(group.rawValue.uppercased())")
      for verb in members { lines += Self.lines(of: verb) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of verb: Verb) -> [String] {
    var lines = [".SS sporades \(escaped(HelpText.usage(of: verb)))", escaped(verb.summary + ".")]
    let entries =
      verb.operands.map { ($0.name, $0.text) } + verb.allOptions.map { ($0.usage, $0.text) }
    for (term, text) in entries { lines += [".TP", ".B \(escaped(term))", escaped(text)] }
    for paragraph in verb.details { lines += [".PP", escaped(paragraph)] }
    guard !verb.examples.isEmpty else { return lines }
    return lines + [".PP", ".nf"] + verb.examples.map { "  " + escaped($0) } + [".fi"]
  }

  /// The text without characters that command troff.
  private static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
