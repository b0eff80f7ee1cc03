// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

/// What became of a mutant, in a word and a sentence.
enum Outcome: CustomStringConvertible {
  case taken
  case refused(String)
  /// Refused by an error nobody could tell the meaning of.
  case untyped(String)

  var description: String {
    switch self {
    case .taken: "taken"
    case .refused(let detail): "refused: \(detail.prefix(300))"
    case .untyped(let detail): "untyped: \(detail.prefix(300))"
    }
  }

  /// Only errors of the modules' own types are how something may be refused.
  static func of(_ body: () throws -> Void) -> Outcome {
    do {
      try body()
      return .taken
    } catch {
      let text = "\(error)".split(separator: "\n").joined(separator: " ")
      switch error {
      case is StoreError, is ModelError, is FetchPredicateError, is ContextError,
        is ValidationError, is Refusals:
        return .refused(text)
      default: return .untyped("\(type(of: error)) \(text)")
      }
    }
  }
}

/// What was refused among many things that were tried.
struct Refusals: Error, CustomStringConvertible {
  var texts: [String] = []

  var description: String { "\(texts.count) times, first: \(texts.first ?? "")" }

  /// Tries one thing more. An error of no type of ours is not kept but thrown.
  mutating func attempt(_ body: () throws -> Void) throws {
    let outcome = Outcome.of(body)
    switch outcome {
    case .taken: break
    case .refused(let text): texts.append(text)
    case .untyped(let text): throw Untyped(text: text)
    }
  }

  func check() throws { if !texts.isEmpty { throw self } }
}

struct Untyped: Error {
  let text: String
}
