// SPDX-License-Identifier: MIT
@_spi(_Unicode) import Swift

/// The form of texts that comparisons use: the text itself, or the text without case and marks.
///
/// Comparisons go by the bytes of UTF-8, so that every store and every index can do the same. Folding
/// comes before the comparison and does not depend on a locale.
public enum TextFolding {
  /// Folds a text for a comparison with the options.
  ///
  /// `caseInsensitive` lower-cases every scalar by its full mapping. `diacriticInsensitive` decomposes
  /// the text canonically and drops the combining marks. `normalized` means that the text is folded
  /// already.
  public static func fold(_ text: String, _ options: FetchPredicate.TextOptions) -> String {
    guard folds(options) else { return text }
    let cases = options.contains(.caseInsensitive)
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return cases ? text.lowercased() : text }
    let lowered = cases ? text.lowercased() : text
    return options.contains(.diacriticInsensitive) ? withoutMarks(lowered) : lowered
  }

  /// The options change the form of texts.
  static func folds(_ options: FetchPredicate.TextOptions) -> Bool {
    !options.contains(.normalized)
      && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  private static func withoutMarks(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfd where scalar.properties.canonicalCombiningClass == .notReordered {
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// Compares two texts by their bytes: negative, zero or positive.
  public static func compare(_ left: String, _ right: String) -> Int {
    let ordered = unsafe left.utf8.withContiguousStorageIfAvailable { left in
      unsafe right.utf8.withContiguousStorageIfAvailable { unsafe compare(left, $0) }
    }
    if let ordered, let order = ordered { return order }
    return compare(Array(left.utf8), Array(right.utf8))
  }

  static func compare(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
    var theirs = right.makeIterator()
    for byte in left {
      guard let other = theirs.next() else { return 1 }
      if byte != other { return byte < other ? -1 : 1 }
    }
    return theirs.next() == nil ? 0 : -1
  }

  static func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start] == first && text[start...].starts(with: part)
    }
  }

  static func begins(_ text: String, with part: String) -> Bool {
    text.utf8.starts(with: part.utf8)
  }

  static func ends(_ text: String, with part: String) -> Bool {
    text.utf8.reversed().starts(with: part.utf8.reversed())
  }
}
