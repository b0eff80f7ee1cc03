// SPDX-License-Identifier: MIT

/// A regular expression in the syntax of ICU, which is what Core Data's models and predicates use.
///
/// Its characters are Unicode scalars. Parsing and matching use no recursion that an expression or a
/// text could make deep, and matching ends after a number of steps that ``PatternBudget`` bounds.
struct RegularExpression: Sendable {
  private let program: PatternProgram

  init(_ pattern: String, ignoresCase: Bool) throws(FetchPredicateError) {
    program = try PatternCompiler.program(pattern, ignoresCase ? .ignoresCase : [])
  }

  /// The expression, compiled once for as long as it is among those used last.
  static func known(
    _ pattern: String, ignoresCase: Bool
  ) throws(FetchPredicateError) -> RegularExpression {
    let key = Key(pattern: pattern, ignoresCase: ignoresCase)
    if let expression = cache.withLock({ $0[key] }) { return expression }
    let expression = try RegularExpression(pattern, ignoresCase: ignoresCase)
    cache.withLock { cache in
      if cache.count >= largestCache { cache.removeAll() }
      cache[key] = expression
    }
    return expression
  }

  private struct Key: Hashable {
    let pattern: String
    let ignoresCase: Bool
  }

  private static let cache = Guarded<[Key: RegularExpression]>([:])
  private static let largestCache = 128

  static var knownCount: Int { cache.withLock(\.count) }

  /// Bits of memory that failures may take.
  private static let largestMemory = 1 << 27

  /// The whole text matches.
  func matches(_ text: String, within budget: PatternBudget) throws(FetchPredicateError) -> Bool {
    let scalars = text.unicodeScalars.map(\.value)
    guard scalars.count < Int(Int32.max) / 2 else { throw .patternTooCostly }
    let free = PatternBudget.freeSteps(scalars.count)
    let mayRemember =
      program.remembers && program.choiceCount > 0
      && scalars.count < Self.largestMemory / program.choiceCount
    var matcher = PatternMatcher(program, scalars, remembers: false)
    var outcome = matcher.run(limit: mayRemember ? free : free + budget.remaining)
    if mayRemember, outcome == .exhausted {
      // Most texts are decided before it is worth remembering anything.
      matcher = PatternMatcher(program, scalars, remembers: true)
      outcome = matcher.run(limit: free + budget.remaining)
    }
    try budget.spend(matcher.steps - free, isEnough: outcome != .exhausted)
    return outcome == .matches
  }
}
