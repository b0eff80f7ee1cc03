// SPDX-License-Identifier: MIT

/// Decides where lines and words of a text begin and end, by ICU's rules.
struct TextBoundaries {
  let text: [UInt32]

  /// The assertion holds at the position. The function adds the distance that it looks back to `steps`.
  func holds(
    _ assertion: PatternNode.Assertion, at position: Int, steps: inout Int
  ) -> Bool {
    switch assertion {
    case .textStart: position == 0
    case .textEnd: position == text.count
    case .lineStart:
      position == 0 || (position < text.count && ScalarClass.isLineEnd(text[position - 1]))
    case .unixLineStart: position == 0 || (position < text.count && text[position - 1] == 10)
    case .lastLineEnd: isLastLineEnd(position)
    case .lastUnixLineEnd:
      position == text.count || (position == text.count - 1 && text[position] == 10)
    case .lineEnd:
      position == text.count || (ScalarClass.isLineEnd(text[position]) && !isInsideBreak(position))
    case .unixLineEnd: position == text.count || text[position] == 10
    case .wordBoundary: isWordBoundary(position, &steps)
    case .noWordBoundary: !isWordBoundary(position, &steps)
    }
  }

  /// The position lies between CR and LF.
  private func isInsideBreak(_ position: Int) -> Bool {
    position > 0 && position < text.count && text[position] == 10 && text[position - 1] == 13
  }

  private func isLastLineEnd(_ position: Int) -> Bool {
    switch text.count - position {
    case 0: true
    case 1: ScalarClass.isLineEnd(text[position]) && !isInsideBreak(position)
    case 2: text[position] == 13 && text[position + 1] == 10
    default: false
    }
  }

  private func isWordBoundary(_ position: Int, _ steps: inout Int) -> Bool {
    var isBeforeWord = false
    if position < text.count {
      if ScalarClass.extendsCharacter(text[position]) { return false }
      isBeforeWord = ScalarClass.isWord(text[position])
    }
    var before = position
    while before > 0 {
      before -= 1
      steps += 1
      if !ScalarClass.extendsCharacter(text[before]) {
        return isBeforeWord != ScalarClass.isWord(text[before])
      }
    }
    return isBeforeWord
  }
}
