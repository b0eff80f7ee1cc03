// SPDX-License-Identifier: MIT

/// A regular expression in the syntax of ICU, as in Core Data's models and predicates.
///
/// Its characters are Unicode scalars. No expression and no text makes the recursion of the parser or of
/// the matcher deep. ``PatternBudget`` bounds the steps of the matcher.
struct RegularExpression: Sendable {
  private let program: PatternProgram

  init(_ pattern: String, ignoresCase: Bool) throws(FetchPredicateError) {
    program = try PatternCompiler.program(pattern, ignoresCase ? .ignoresCase : [])
  }

  /// Returns an expression from the cache, or compiles it and adds it to the cache.
  static func cached(
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

  static var cachedCount: Int { cache.withLock(\.count) }

  /// The largest number of bits that remembered failures may take.
  private static let largestMemory = 1 << 27

  /// The whole text matches the expression.
  func matches(_ text: String, within budget: PatternBudget) throws(FetchPredicateError) -> Bool {
    let scalars = text.unicodeScalars.map(\.value)
    guard scalars.count < Int(Int32.max) / 2 else { throw .patternTooCostly }
    let free = PatternBudget.freeSteps(scalars.count)
    let mayRemember =
      program.remembersFailures && program.choiceCount > 0
      && scalars.count < Self.largestMemory / program.choiceCount
    var matcher = PatternMatcher(program, scalars, remembersFailures: false)
    var outcome = matcher.run(limit: mayRemember ? free : free + budget.remaining)
    if mayRemember, outcome == .exhausted {
      // The matcher decides most texts in the free steps, before remembered failures would pay.
      matcher = PatternMatcher(program, scalars, remembersFailures: true)
      outcome = matcher.run(limit: free + budget.remaining)
    }
    try budget.spend(matcher.steps - free, isFinished: outcome != .exhausted)
    return outcome == .matches
  }
}
