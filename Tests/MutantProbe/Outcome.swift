// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

/// The outcome of a mutant, as a word and a sentence.
enum Outcome: CustomStringConvertible {
  case taken
  case refused(String)
  /// Refused with an error that is not of the library's types.
  case untyped(String)

  var description: String {
    switch self {
    case .taken: "taken"
    case .refused(let detail): "refused: \(detail.prefix(300))"
    case .untyped(let detail): "untyped: \(detail.prefix(300))"
    }
  }

  /// Every refusal must have an error of the library's own types.
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

/// The refusals among many attempts.
struct Refusals: Error, CustomStringConvertible {
  var texts: [String] = []

  var description: String { "\(texts.count) times, first: \(texts.first ?? "")" }

  /// Makes one more attempt. Keeps an error of the library's types, and throws any other one.
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
