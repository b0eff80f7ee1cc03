// SPDX-License-Identifier: MIT

/// Follows the conditions for the compiler (`#if`) in the tokens of a file.
///
/// Rules:
/// 1. A side that Linux never compiles is left out.
/// 2. A side that depends on the build stays, and each of its tokens names the condition.
struct ConditionReader {
  /// The conditions of a file, and the tokens that Linux can compile.
  struct Answer {
    var tokens: [SwiftToken] = []
    /// The text of each condition, as `#if` takes it.
    var conditions: [String] = []
    /// The places of `#if` that the reader refuses, with the reason.
    var refused: [(start: Int, reason: String)] = []
  }

  /// An `#if` whose `#endif` is not reached.
  private struct Open {
    let parent: Int?
    var isParentOff: Bool
    /// The conditions of the sides above this one.
    var earlier: [String] = []
    /// The sides above this one leave nothing for it.
    var isDecided = false
    var current: Int?
    var isOff = false
  }

  private static let deepest = 32
  private static let mostSides = 64

  private let bytes: [UInt8]
  private let tokens: [SwiftToken]
  private let lines: LineTable
  private var open: [Open] = []
  private var answer = Answer()

  private init(_ tokens: [SwiftToken], _ bytes: [UInt8], _ lines: LineTable) {
    (self.tokens, self.bytes, self.lines) = (tokens, bytes, lines)
  }

  /// The tokens that Linux can compile, each with its condition.
  static func read(_ tokens: [SwiftToken], of bytes: [UInt8], lines: LineTable) -> Answer {
    var reader = ConditionReader(tokens, bytes, lines)
    reader.run()
    return reader.answer
  }

  private mutating func run() {
    var place = 0
    while place < tokens.count {
      if let directive = directive(at: place) {
        let end = lineEnd(from: place)
        take(directive, tokens[min(place + 2, end)..<end], at: tokens[place].start)
        place = end
      } else {
        if open.last?.isOff != true {
          var token = tokens[place]
          token.condition = open.last?.current
          answer.tokens.append(token)
        }
        place += 1
      }
    }
  }

  private func directive(at place: Int) -> String? {
    guard tokens[place].isSign("#"), place + 1 < tokens.count,
      tokens[place + 1].start == tokens[place].end, let word = tokens[place + 1].keyword
    else { return nil }
    return ["if", "elseif", "else", "endif"].contains(word) ? word : nil
  }

  /// The place of the first token on a later line.
  private func lineEnd(from place: Int) -> Int {
    var end = place + 1
    while end < tokens.count {
      let between = bytes[tokens[end - 1].end..<tokens[end].start]
      if between.contains(UInt8(ascii: "\n")) || between.contains(UInt8(ascii: "\r")) { break }
      end += 1
    }
    return end
  }

  private mutating func take(_ directive: String, _ words: ArraySlice<SwiftToken>, at start: Int) {
    switch directive {
    case "if":
      let last = open.last
      var side = Open(parent: last?.current, isParentOff: last?.isOff ?? false)
      if open.count >= Self.deepest, !side.isParentOff {
        refuse(start, "too many conditions are nested here")
        side.isParentOff = true
      }
      open.append(side)
      enter(words, at: start)
    case "elseif", "else":
      guard !open.isEmpty else { return }
      enter(directive == "else" ? nil : words, at: start)
    default:
      if !open.isEmpty { open.removeLast() }
    }
  }

  /// Begins a side; nil for the one of `#else`.
  private mutating func enter(_ words: ArraySlice<SwiftToken>?, at start: Int) {
    guard var side = open.popLast() else { return }
    defer { open.append(side) }
    let text = words.map(text) ?? "true"
    let holds = words.map { ConditionValue.of(Array($0)) } ?? .always
    side.isOff = side.isParentOff || side.isDecided || holds == .never
    if holds == .always { side.isDecided = true }
    if !side.isOff, side.earlier.count >= Self.mostSides {
      refuse(start, "this condition has too many sides")
      (side.isOff, side.isDecided) = (true, true)
    }
    guard !side.isOff else { return }
    var parts = side.parent.map { [answer.conditions[$0]] } ?? []
    parts += side.earlier.map { "!(\($0))" }
    if holds == .unknown {
      parts.append("(\(text))")
      side.earlier.append(text)
    }
    side.current = nil
    if !parts.isEmpty {
      side.current = answer.conditions.count
      answer.conditions.append(parts.joined(separator: " && "))
    }
  }

  private func text(_ words: ArraySlice<SwiftToken>) -> String {
    guard let first = words.first, let last = words.last else { return "false" }
    return String(decoding: bytes[first.start..<last.end], as: UTF8.self)
  }

  private mutating func refuse(_ start: Int, _ reason: String) {
    answer.refused.append((start, reason))
  }
}
