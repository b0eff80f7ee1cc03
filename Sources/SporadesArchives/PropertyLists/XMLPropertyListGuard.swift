// SPDX-License-Identifier: MIT

/// Checks that Foundation can safely read an XML property list. Foundation's reader recurses into each nested
/// container, so a list of one megabyte can overflow the stack.
///
/// The check counts only the depth of tags, and errs on the high side. A comment, or a tag with quotes, could
/// contain text that looks like a closing tag. After one of these, the check ignores all closing tags.
struct XMLPropertyListGuard {
  private var depth = 0
  private var believesEnds = true
  private var hasBegun = false

  static func check(_ bytes: [UInt8]) throws(PropertyListError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? mark.count : 0
    guard bytes[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else {
      throw PropertyListError("it is no property list, in binary or in XML")
    }
    var xml = XMLPropertyListGuard()
    var place = start
    while let next = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      let angles = [UInt8(ascii: "<"), UInt8(ascii: ">")]
      let end = bytes[(next + 1)...].firstIndex(where: angles.contains) ?? bytes.endIndex
      try xml.take(bytes[next..<end])
      place = end
    }
  }

  /// Reads a tag up to its closing angle bracket, or text that begins like a tag.
  private mutating func take(_ tag: ArraySlice<UInt8>) throws(PropertyListError) {
    switch tag.dropFirst().first {
    case UInt8(ascii: "/"):
      if believesEnds { depth = max(0, depth - 1) }
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      // Text before the first tag hides no closing tag.
      if hasBegun { believesEnds = false }
    default:
      // The outermost tag has an attribute for its version.
      if hasBegun, tag.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) {
        believesEnds = false
      }
      hasBegun = true
      if tag.last != UInt8(ascii: "/") { depth += 1 }
    }
    guard depth <= BinaryPropertyList.depthLimit else {
      throw PropertyListError(
        "it is more than \(BinaryPropertyList.depthLimit) containers deep, or has comments inside its "
          + "containers")
    }
  }
}
