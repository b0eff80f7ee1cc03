// SPDX-License-Identifier: MIT

/// The folded scalars of one word of a text, with the places of the word's own scalars if a reader asks for them.
struct FoldedRun {
  private(set) var bytes: [UInt8] = []
  /// The place of each folded scalar in the bytes.
  private(set) var starts: [Int] = []
  /// The original scalars from which each folded scalar came, with the marks that folding dropped.
  private(set) var origins: [Range<String.Index>] = []

  var isEmpty: Bool { starts.isEmpty }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  mutating func append(_ folded: FoldedScalar, of scalar: Unicode.Scalar) {
    folded.forEachByte(of: scalar) { byte in
      if byte.beginsScalar { starts.append(bytes.count) }
      bytes.append(byte)
    }
  }

  mutating func append(
    _ folded: FoldedScalar, of scalar: Unicode.Scalar, at place: Range<String.Index>
  ) {
    append(folded, of: scalar)
    if folded.isEmpty, let last = origins.popLast() {
      origins.append(last.lowerBound..<place.upperBound)
    }
    while origins.count < starts.count { origins.append(place) }
  }

  /// The folded scalars of a token that begins at a place.
  func token(at first: Int, longest: Int) -> Range<Int> {
    first..<(starts.count - first > longest ? first + longest : starts.count)
  }

  func bytes(of scalars: Range<Int>) -> ArraySlice<UInt8> {
    let end = scalars.upperBound < starts.count ? starts[scalars.upperBound] : bytes.count
    return bytes[starts[scalars.lowerBound]..<end]
  }

  /// The tokens of the word, as ranges of its folded scalars.
  func tokens(_ form: SearchForm) -> [Range<Int>] {
    switch form {
    case .parts: starts.indices.map { token(at: $0, longest: SearchTokens.partLength) }
    case .words:
      stride(from: 0, to: starts.count, by: SearchTokens.longestToken).map {
        token(at: $0, longest: SearchTokens.longestToken)
      }
    }
  }

  /// The text that a token covers, whole scalars of the original text.
  func origin(of scalars: Range<Int>) -> Range<String.Index> {
    origins[scalars.lowerBound].lowerBound..<origins[scalars.upperBound - 1].upperBound
  }
}
