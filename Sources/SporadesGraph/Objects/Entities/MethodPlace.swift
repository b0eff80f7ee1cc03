// SPDX-License-Identifier: MIT

/// The place of a method in the tables of functions of a class and its subclasses.
///
/// Swift keeps a table of methods for each class, whose entries a subclass takes over unless it overrides them.
/// The place of a method in the table is the one where a class that overrides it alone differs from the class that
/// declares it. Without such a place, the method counts as overridden.
package struct MethodPlace: Sendable {
  private let place: Int?
  private let base: AnyClass

  /// Finds the place by a subclass that overrides the method alone, and a subclass that overrides none.
  package init(of probe: AnyClass, _ plain: AnyClass, _ base: AnyClass) {
    self.base = base
    place = unsafe (0..<Self.wordCount(of: base)).first { place in
      let word = unsafe Self.word(place, of: base)
      return unsafe Self.word(place, of: plain) == word && Self.word(place, of: probe) != word
    }
  }

  /// Whether the class or a class above it, below the one that declares the method, overrides the method.
  package func isOverridden(in type: AnyClass) -> Bool {
    guard let place else { return true }
    return unsafe Self.word(place, of: type) != Self.word(place, of: base)
  }

  @unsafe
  private static func word(_ place: Int, of type: AnyClass) -> UInt {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)[place]
  }

  /// The words of a class's table behind its address point. Swift keeps the size of the whole, and the offset of
  /// the address point, in the word of this number (docs/ABI/TypeMetadata.rst in Swift's sources).
  @unsafe
  private static func wordCount(of base: AnyClass) -> Int {
    #if canImport(ObjectiveC)
      let sizes = 7
    #else
      let sizes = 4
    #endif
    let word = unsafe word(sizes, of: base)
    let (size, start) = (UInt32(truncatingIfNeeded: word), UInt32(word >> 32))
    return max(0, Int(size) - Int(start)) / MemoryLayout<UInt>.size
  }
}
