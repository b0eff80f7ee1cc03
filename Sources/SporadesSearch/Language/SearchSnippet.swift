// SPDX-License-Identifier: MIT

/// An excerpt of a text around the words of a search.
public struct SearchSnippet: Hashable, Sendable {
  /// The excerpt of the original text.
  public let text: String
  /// The parts of the excerpt that the search found, in order.
  public let ranges: [Range<String.Index>]
  /// The text has more before the excerpt.
  public let isCutAtStart: Bool
  /// The text has more behind the excerpt.
  public let isCutAtEnd: Bool
}

extension SearchQuery {
  /// Cuts the part with the most different phrases of the query out of a text.
  ///
  /// The excerpt has at most `length` tokens; in form `.parts` a token begins at each letter. Among parts with as many
  /// phrases it takes the first, and begins at the beginning of a sentence if the phrases still fit. A text with none of the
  /// phrases shows its beginning.
  public func snippet(
    of text: String, column: String? = nil, length: Int = 16
  ) -> SearchSnippet {
    let marks = SearchMarks(self, text, column: column)
    let count = marks.tokens.count
    guard count > 0 else {
      return SearchSnippet(text: text, ranges: [], isCutAtStart: false, isCutAtEnd: false)
    }
    let size = min(max(length, 1), count)
    let window = SearchWindow(marks, text, size: size).tokens
    let start =
      window.lowerBound == 0
      ? text.startIndex : marks.tokens[window.lowerBound].range.lowerBound
    let end =
      window.upperBound == count
      ? text.endIndex : marks.tokens[window.upperBound - 1].range.upperBound
    return SearchSnippet(
      marks.ranges, text, start..<end, isCutAtStart: window.lowerBound > 0,
      isCutAtEnd: window.upperBound < count)
  }
}

extension SearchSnippet {
  /// Cuts a part out of a text and moves the marks that lie in it.
  fileprivate init(
    _ marks: [Range<String.Index>], _ text: String, _ part: Range<String.Index>,
    isCutAtStart: Bool, isCutAtEnd: Bool
  ) {
    let excerpt = String(text[part])
    let bytes = excerpt.utf8
    ranges = marks.compactMap { mark in
      let inside = mark.clamped(to: part)
      guard !inside.isEmpty else { return nil }
      func moved(_ index: String.Index) -> String.Index {
        let offset = text.utf8.distance(from: part.lowerBound, to: index)
        return bytes.index(bytes.startIndex, offsetBy: offset)
      }
      return moved(inside.lowerBound)..<moved(inside.upperBound)
    }
    self.text = excerpt
    self.isCutAtStart = isCutAtStart
    self.isCutAtEnd = isCutAtEnd
  }
}

/// The tokens that an excerpt shows.
struct SearchWindow {
  private let marks: SearchMarks
  private let text: String
  private let size: Int

  init(_ marks: SearchMarks, _ text: String, size: Int) {
    (self.marks, self.text, self.size) = (marks, text, size)
  }

  var tokens: Range<Int> {
    let phrases = best
    // A part at the end of the text begins earlier, so that it has as many tokens as it may.
    let start = min(
      sentence(before: phrases) ?? centred(phrases), marks.tokens.count - size)
    return start..<min(start + size, marks.tokens.count)
  }

  /// The tokens from the first to the last phrase of the part with the most different phrases.
  ///
  /// One pass goes over the occurrences in the order of their beginnings, and a second index over the order of their ends.
  private var best: Range<Int> {
    let starting = marks.occurrences.map(\.tokens).enumerated().sorted {
      $0.element.lowerBound < $1.element.lowerBound
    }
    let ending = starting.sorted { $0.element.upperBound < $1.element.upperBound }
    var counts: [Int: Int] = [:]
    var isInside = [Bool](repeating: false, count: starting.count)
    var (most, next, last) = (0, 0, 0)
    var best = 0..<0
    for (number, tokens) in starting {
      let phrase = marks.occurrences[number].phrase
      while next < ending.count, ending[next].element.upperBound <= tokens.lowerBound + size {
        let (entering, place) = ending[next]
        next += 1
        guard place.lowerBound >= tokens.lowerBound else { continue }
        isInside[entering] = true
        counts[marks.occurrences[entering].phrase, default: 0] += 1
        last = place.upperBound
      }
      if counts.count > most || best.isEmpty {
        most = counts.count
        best = tokens.lowerBound..<max(last, tokens.lowerBound + 1)
      }
      guard isInside[number], let count = counts[phrase] else { continue }
      counts[phrase] = count > 1 ? count - 1 : nil
    }
    return best
  }

  /// The last beginning of a sentence from which the phrases fit; nil if there is none.
  private func sentence(before phrases: Range<Int>) -> Int? {
    var start = phrases.lowerBound
    while start > 0, phrases.upperBound - start <= size {
      if beginsSentence(start) { return start }
      start -= 1
    }
    return start == 0 && phrases.upperBound <= size ? 0 : nil
  }

  private func beginsSentence(_ token: Int) -> Bool {
    let end = marks.tokens[token - 1].range.upperBound
    let start = marks.tokens[token].range.lowerBound
    guard end < start else { return false }
    let between = text.unicodeScalars[end..<start]
    let isWide = between.contains { "\u{3002}\u{FF01}\u{FF1F}".unicodeScalars.contains($0) }
    return isWide
      || between.contains(where: \.properties.isWhitespace)
        && between.contains { ".!?:\u{2026}\n".unicodeScalars.contains($0) }
  }

  /// The beginning of a window that has the phrases in its middle.
  private func centred(_ phrases: Range<Int>) -> Int {
    let room = max(0, size - phrases.count)
    return max(0, phrases.lowerBound - room / 2)
  }
}
