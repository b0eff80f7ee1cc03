// SPDX-License-Identifier: MIT

extension SearchQuery {
  /// Whether each row that the query finds is among those that another query finds. False where that is not certain.
  public func narrows(_ other: SearchQuery) -> Bool {
    guard columns == other.columns, form == other.form, let theirs = other.root else {
      return false
    }
    guard let root else { return true }
    return root.implies(theirs)
  }
}

extension SearchTerm {
  /// Terms are nested no deeper than the parentheses of a search, so that the calls end.
  fileprivate func implies(_ other: SearchTerm) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (_, .all(let parts)): return parts.allSatisfy(implies)
    case (.any(let parts), _): return parts.allSatisfy { $0.implies(other) }
    case (.all(let parts), _) where parts.contains(where: { $0.implies(other) }): return true
    case (_, .any(let parts)): return parts.contains(where: implies)
    case (.without(let own, let excluded), .without(let theirs, let less)):
      return own.implies(theirs) && less.implies(excluded)
    case (.without(let own, _), _): return own.implies(other)
    case (.in(let columns, let own), .in(let more, let theirs)):
      return Set(columns).isSubset(of: more) && own.implies(theirs)
    case (.in(_, let own), _), (.outside(_, let own), _): return own.implies(other)
    case (.phrase(let own), .phrase(let theirs)): return own.implies(theirs)
    default: return false
    }
  }
}

extension SearchPhrase {
  /// Whether a text with the phrase has the other one, too: `green hams` has `gree*`, and `green ham*` has `green`.
  fileprivate func implies(_ other: SearchPhrase) -> Bool {
    if self == other { return true }
    guard !other.isAtStart || isAtStart, words.count >= other.words.count else { return false }
    let starts = other.isAtStart ? 0...0 : 0...(words.count - other.words.count)
    // The phrases that people type are short; a longer one is searched anew.
    guard words.count <= 32 else { return false }
    return starts.contains { start in
      other.words.indices.allSatisfy { place in
        let (word, theirs) = (words[start + place], other.words[place])
        if place == other.words.count - 1, other.isPrefix { return word.hasPrefix(theirs) }
        let isCut = isPrefix && start + place == words.count - 1
        return word == theirs && !isCut
      }
    }
  }
}
