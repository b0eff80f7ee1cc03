// SPDX-License-Identifier: MIT

/// Says where lines and words begin and end, as ICU does.
struct PatternPlaces {
  let text: [UInt32]

  /// Adds to `steps` how far it looks back.
  func holds(
    _ assertion: PatternNode.Assertion, at place: Int, steps: inout Int
  ) -> Bool {
    switch assertion {
    case .textStart: place == 0
    case .textEnd: place == text.count
    case .lineStart:
      place == 0 || (place < text.count && ScalarClass.isLineEnd(text[place - 1]))
    case .unixLineStart: place == 0 || (place < text.count && text[place - 1] == 10)
    case .lastLineEnd: isLastLineEnd(place)
    case .lastUnixLineEnd:
      place == text.count || (place == text.count - 1 && text[place] == 10)
    case .lineEnd:
      place == text.count || (ScalarClass.isLineEnd(text[place]) && !isInsideBreak(place))
    case .unixLineEnd: place == text.count || text[place] == 10
    case .wordBoundary: isWordBoundary(place, &steps)
    case .noWordBoundary: !isWordBoundary(place, &steps)
    }
  }

  /// Between CR and LF.
  private func isInsideBreak(_ place: Int) -> Bool {
    place > 0 && place < text.count && text[place] == 10 && text[place - 1] == 13
  }

  private func isLastLineEnd(_ place: Int) -> Bool {
    switch text.count - place {
    case 0: true
    case 1: ScalarClass.isLineEnd(text[place]) && !isInsideBreak(place)
    case 2: text[place] == 13 && text[place + 1] == 10
    default: false
    }
  }

  private func isWordBoundary(_ place: Int, _ steps: inout Int) -> Bool {
    var isBeforeWord = false
    if place < text.count {
      if ScalarClass.joinsWhatIsBefore(text[place]) { return false }
      isBeforeWord = ScalarClass.isWord(text[place])
    }
    var before = place
    while before > 0 {
      before -= 1
      steps += 1
      if !ScalarClass.joinsWhatIsBefore(text[before]) {
        return isBeforeWord != ScalarClass.isWord(text[before])
      }
    }
    return isBeforeWord
  }
}
