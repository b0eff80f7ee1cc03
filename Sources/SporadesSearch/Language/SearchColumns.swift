// SPDX-License-Identifier: MIT

/// The names of columns, as people type them.
struct SearchColumnNames {
  let names: [String]
  private let exact: [String: Int]
  private let lowered: [String: Int]

  init(_ names: [String]) {
    self.names = names
    let numbered = names.enumerated().map { ($1, $0) }
    exact = Dictionary(numbered) { first, _ in first }
    lowered = Dictionary(numbered.map { ($0.lowercased(), $1) }) { first, _ in first }
  }

  /// The number of the column; its very name comes before names in another case.
  func number(of name: String) -> Int? { exact[name] ?? lowered[name.lowercased()] }

  func texts(_ numbers: Set<Int>) -> [String] { numbers.sorted().map { names[$0] } }

  func numbers(_ names: [String]) -> Set<Int> { Set(names.compactMap { exact[$0] }) }
}

/// The columns to which a term belongs.
struct SearchColumnFilter {
  let columns: Set<Int>
  let isExcluded: Bool

  /// The columns that both filters leave.
  func narrowed(by other: Self) -> Self {
    switch (isExcluded, other.isExcluded) {
    case (false, false): Self(columns: columns.intersection(other.columns), isExcluded: false)
    case (false, true): Self(columns: columns.subtracting(other.columns), isExcluded: false)
    case (true, false): Self(columns: other.columns.subtracting(columns), isExcluded: false)
    case (true, true): Self(columns: columns.union(other.columns), isExcluded: true)
    }
  }

  func applied(to term: SearchTerm, _ names: SearchColumnNames) -> SearchParser.Reading {
    switch term {
    case .in(let inner, let term):
      let inner = Self(columns: names.numbers(inner), isExcluded: false)
      return narrowed(by: inner).reading(term, names)
    case .outside(let inner, let term):
      let inner = Self(columns: names.numbers(inner), isExcluded: true)
      return narrowed(by: inner).reading(term, names)
    default: return reading(term, names)
    }
  }

  private func reading(_ term: SearchTerm, _ names: SearchColumnNames) -> SearchParser.Reading {
    if isExcluded {
      return columns.count == names.names.count
        ? .nothing : .term(.outside(names.texts(columns), term))
    }
    return columns.isEmpty ? .nothing : .term(.in(names.texts(columns), term))
  }
}

extension SearchParser {
  /// Takes `name:`, `{name name}:` or one of these after a minus, if a term follows.
  mutating func takeColumns() -> SearchColumnFilter? {
    guard let (filter, end) = columns(at: place) else { return nil }
    place = end
    return filter
  }

  /// The columns at a place, and the place of the term that follows them.
  func columns(at start: Int) -> (filter: SearchColumnFilter, end: Int)? {
    guard !names.names.isEmpty else { return nil }
    let isExcluded = scalars[start] == "-"
    let first = isExcluded ? start + 1 : start
    // No name begins with a minus, so that a line of these is read once.
    guard first < scalars.count, scalars[first] != "-",
      let (numbers, colon) = scalars[first] == "{" ? group(at: first) : name(at: first)
    else { return nil }
    var end = colon + 1
    while end < scalars.count, Self.isSpace(scalars[end]) { end += 1 }
    guard end < scalars.count, scalars[end] != ")", !isOperator(at: end) else { return nil }
    return (SearchColumnFilter(columns: numbers, isExcluded: isExcluded), end)
  }

  private func name(at start: Int) -> (numbers: Set<Int>, colon: Int)? {
    guard let colon = scalars[start...].firstIndex(where: { Self.endsWord($0) || $0 == ":" }),
      scalars[colon] == ":", let number = names.number(of: text(start..<colon))
    else { return nil }
    return ([number], colon)
  }

  /// Names in braces. A second brace ends the search, so that many braces cost no more than their number.
  private func group(at start: Int) -> (numbers: Set<Int>, colon: Int)? {
    let inner = start + 1
    guard
      let closing = scalars[inner...].firstIndex(where: { $0 == "}" || $0 == "{" || $0 == "\"" }),
      scalars[closing] == "}"
    else { return nil }
    var colon = closing + 1
    while colon < scalars.count, Self.isSpace(scalars[colon]) { colon += 1 }
    guard colon < scalars.count, scalars[colon] == ":" else { return nil }
    let typed = scalars[inner..<closing].split { Self.isSpace($0) || $0 == "," }
    let numbers = typed.map { names.number(of: text($0.startIndex..<$0.endIndex)) }
    let known = Set(numbers.compactMap(\.self))
    return known.isEmpty || numbers.contains(nil) ? nil : (known, colon)
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }
}
