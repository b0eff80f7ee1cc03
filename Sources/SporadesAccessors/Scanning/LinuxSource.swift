// SPDX-License-Identifier: MIT

/// The part of a Swift file that Linux can compile.
package struct LinuxSource {
  /// The tokens, without the sides of conditions that Linux never compiles.
  package let tokens: [SwiftToken]
  /// The words and signs in the interpolations of its texts.
  package let inner: [SwiftToken]

  /// Reads a file.
  package init(_ bytes: [UInt8], lines: LineTable) {
    let all = SwiftScanner.scanAll(bytes)
    let kept = ConditionReader.read(all.tokens, of: bytes, lines: lines).tokens
    tokens = kept
    var inner: [SwiftToken] = []
    var place = 0
    for text in kept where text.kind == .text(nil) {
      while place < all.inner.count, all.inner[place].start < text.start { place += 1 }
      while place < all.inner.count, all.inner[place].end <= text.end {
        inner.append(all.inner[place])
        place += 1
      }
    }
    self.inner = inner
  }

  /// Whether only Apple's platforms have the module.
  package static func lacks(module: String) -> Bool { ConditionValue.absent.contains(module) }
}
