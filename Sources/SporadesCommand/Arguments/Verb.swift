// SPDX-License-Identifier: MIT

/// One thing that the program does. The help, the man page and the completion of shells are made from it.
struct Verb: Sendable {
  /// The word on the command line.
  let name: String
  let group: VerbGroup
  /// A sentence without a full stop.
  let summary: String
  /// The words without dashes, in their order.
  var operands: [Operand] = []
  var options: [VerbOption] = []
  /// Further paragraphs of the help.
  var details: [String] = []
  /// Commands as a user types them.
  var examples: [String] = []
  let run: @Sendable (Invocation) throws -> ExitCode

  /// The options of this verb, with those that every verb has.
  var allOptions: [VerbOption] { options + [.json, .help] }
}

/// The chapters of the help.
enum VerbGroup: String, CaseIterable, Sendable {
  case look = "Look"
  case care = "Care"
  case models = "Models"
  case generate = "Generate"
  case program = "This program"
}

/// A word of a verb's command line that stands at a certain place.
struct Operand: Sendable {
  enum Count: Sendable { case one, optional, atLeastOne }

  /// The name in the help: `STORE`.
  let name: String
  let text: String
  var count = Count.one

  /// The operand as the first line of the help shows it.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .atLeastOne: "\(name)…"
    }
  }
}

/// A word with dashes on a verb's command line.
struct VerbOption: Sendable {
  /// The name without dashes.
  let name: String
  /// The name of the option's value; nil for a switch.
  var value: String?
  let text: String
  /// Each further one adds a value.
  var repeats = false

  /// The option as the help shows it.
  var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
