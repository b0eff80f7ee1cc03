// SPDX-License-Identifier: MIT
import SporadesModel

/// The words of one command line, sorted by what they are.
struct Invocation: Sendable {
  let verb: Verb
  private var words: [String: [String]] = [:]
  private var values: [String: [String]] = [:]
  let output: Output
  /// A store that another program has open is read with SQLite's lock, which leaves a mark beside it. The first attempt
  /// does without.
  var locksStores = false

  /// Sorts the words behind the verb.
  init(_ verb: Verb, _ arguments: [String], _ output: Output) throws {
    self.verb = verb
    self.output = output
    var free: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        free += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        free.append(word)
        continue
      }
      try takeOption(word, &rest)
    }
    // A command line that asks for help needs no operands.
    guard !has("help") else { return }
    try place(free)
  }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0] == "-h" ? "help" : parts[0].hasPrefix("--") ? parts[0].dropFirst(2) : ""
    guard let option = verb.allOptions.first(where: { $0.name == name }) else {
      throw unknownOption(String(parts[0]))
    }
    guard option.repeats || values[option.name] == nil else {
      throw mistake("--\(name) is given twice.")
    }
    guard let placeholder = option.value else {
      guard parts.count == 1 else { throw mistake("--\(name) takes no value.") }
      values[option.name] = []
      return
    }
    let value = parts.count == 2 ? String(parts[1]) : rest.popFirst()
    guard let value else { throw mistake("--\(name) needs a value: \(option.usage).") }
    // `--where --json` is a forgotten value; one that begins so is written `--where=--x`.
    guard parts.count == 2 || !value.hasPrefix("--") else {
      throw mistake(
        "--\(name) needs a value, \(placeholder), and \(value) follows it. Write --\(name)=\(value) if that is the value."
      )
    }
    values[option.name, default: []].append(value)
  }

  private mutating func place(_ free: [String]) throws {
    var free = free[...]
    for operand in verb.operands {
      let taken = operand.count == .atLeastOne ? free : free.prefix(1)
      guard !taken.isEmpty || operand.count == .optional else {
        throw mistake("\(operand.name) is missing.")
      }
      words[operand.name] = Array(taken)
      free = free.dropFirst(taken.count)
    }
    if let extra = free.first {
      throw mistake("\(extra.shownAsWord) is one word too many.")
    }
  }

  private func unknownOption(_ word: String) -> CommandError {
    let name = word.drop { $0 == "-" }
    let known = NearNames(String(name), among: verb.allOptions.map(\.name)).nearest
    let hint = known.map { "Did you mean --\($0)?" } ?? "It has \(optionList)."
    return mistake("\(verb.name) has no option \(word). \(hint)")
  }

  private var optionList: String {
    verb.allOptions.map { "--\($0.name)" }.joined(separator: ", ")
  }

  /// A mistake in this command line, with the way to the help.
  func mistake(_ sentence: String) -> CommandError {
    .asked("\(sentence)\nRead sporades \(verb.name) --help.")
  }

  // MARK: - What the verb reads

  /// The word at the place of an operand that has one.
  func word(_ name: String) -> String {
    guard let word = optionalWord(name) else {
      preconditionFailure(
        "The verb \(verb.name) reads its operand \(name), which it does not declare.")
    }
    return word
  }

  func optionalWord(_ name: String) -> String? { words[name]?.first }

  /// The command line has nothing behind the verb, or `--json` alone.
  var isBare: Bool {
    words.values.allSatisfy(\.isEmpty) && values.keys.allSatisfy { $0 == VerbOption.json.name }
  }

  /// The words at the place of an operand that has several.
  func allWords(_ name: String) -> [String] { words[name] ?? [] }

  /// Whether the option is there.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// The value of an option.
  func value(_ option: String) -> String? { values[option]?.first }

  /// The values of an option that repeats.
  func allValues(_ option: String) -> [String] { values[option] ?? [] }

  /// The value of an option as a whole number that is not negative.
  func count(_ option: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw mistake(
        "--\(option) needs a whole number of 0 or more, and \(text.shownAsWord) is none.")
    }
    return count
  }

  /// The names between the commas of an option's values.
  func list(_ option: String) -> [String] {
    allValues(option).flatMap { $0.split(separator: ",").map(\.trimmed) }.filter { !$0.isEmpty }
  }

  var isJSON: Bool { has("json") }
}

extension StringProtocol {
  /// The text without the blanks around it.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// The word as a sentence quotes it.
  var shownAsWord: String { "\"\(self)\"" }
}
