// SPDX-License-Identifier: MIT

/// A part of a regular expression, as the parser reads it.
///
/// The parser bounds the nesting of nodes, so that functions can walk them by recursion.
indirect enum PatternNode {
  /// The order in which a repetition tries its counts: many first, few first, or only the most.
  enum Greed { case greedy, lazy, possessive }

  enum Assertion: Int32 {
    case textStart, lineStart, unixLineStart
    case textEnd, lastLineEnd, lastUnixLineEnd, lineEnd, unixLineEnd
    case wordBoundary, noWordBoundary
  }

  case empty
  case scalar(UInt32, ignoresCase: Bool)
  case set(ScalarSet)
  /// `.` in the mode in which it takes line ends. It takes CR LF as one.
  case anyUnit
  /// `\R`: one line end. It takes CR LF as one.
  case lineBreak
  /// `\X`: one character as people see it, of one or several scalars.
  case cluster
  case sequence([PatternNode])
  case choice([PatternNode])
  case repetition(PatternNode, least: Int, most: Int?, greed: Greed)
  case capture(Int, PatternNode)
  case atomic(PatternNode)
  case look(PatternNode, isBehind: Bool, isNegative: Bool)
  case reference(Int, ignoresCase: Bool)
  case assertion(Assertion)
}

extension PatternNode {
  /// The largest count of scalars. Larger counts mean the same as no bound.
  static let largestCount = 1 << 24

  /// The smallest and the largest number of scalars that the node takes; nil if there is no largest.
  var length: (least: Int, most: Int?) {
    switch self {
    case .empty, .look, .assertion: return (0, 0)
    case .scalar, .set: return (1, 1)
    case .anyUnit, .lineBreak: return (1, 2)
    case .cluster: return (1, nil)
    case .reference: return (0, nil)
    case .capture(_, let inner), .atomic(let inner): return inner.length
    case .sequence(let parts):
      var total: (least: Int, most: Int?) = (0, 0)
      for part in parts {
        let length = part.length
        total = (Self.sum(total.least, length.least), Self.sum(total.most, length.most))
      }
      return total
    case .choice(let parts):
      let lengths = parts.map(\.length)
      let bounds = lengths.compactMap(\.most)
      let most = bounds.count == lengths.count ? bounds.max() : nil
      return (lengths.map(\.least).min() ?? 0, most)
    case .repetition(let inner, let least, let most, _):
      let length = inner.length
      return (Self.product(length.least, least), Self.product(length.most, most))
    }
  }

  private static func sum(_ left: Int, _ right: Int) -> Int { min(left + right, largestCount) }

  private static func sum(_ left: Int?, _ right: Int?) -> Int? {
    guard let left, let right else { return nil }
    return left + right < largestCount ? left + right : nil
  }

  private static func product(_ left: Int, _ right: Int) -> Int {
    let (result, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? largestCount : min(result, largestCount)
  }

  private static func product(_ left: Int?, _ right: Int?) -> Int? {
    if left == 0 || right == 0 { return 0 }
    guard let left, let right else { return nil }
    let (result, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows || result >= largestCount ? nil : result
  }
}
