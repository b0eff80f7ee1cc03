// SPDX-License-Identifier: MIT

/// A set of Unicode scalars.
///
/// A table answers for scalars below 128, and the definition answers for all others.
struct ScalarSet: Sendable {
  private let low: UInt64
  private let high: UInt64
  private let definition: Definition
  /// The number of steps beyond one that the definition takes to answer.
  private let extraSteps: Int

  /// The members of a set. The parser bounds the nesting of definitions.
  indirect enum Definition: Sendable {
    /// Ranges in ascending order, without overlaps.
    case ranges([ClosedRange<UInt32>])
    case property(@Sendable (Unicode.Scalar) -> Bool)
    case complement(Definition)
    case union([Definition])
    case intersection(Definition, Definition)
    case difference(Definition, Definition)
    /// The inner set, and every scalar that differs only in case from one of its scalars.
    case ignoringCase(Definition)
  }

  init(_ definition: Definition) {
    self.definition = definition
    var (low, high): (UInt64, UInt64) = (0, 0)
    for scalar in UInt32(0)..<64 {
      if definition.contains(scalar) { low |= 1 << UInt64(scalar) }
      if definition.contains(scalar + 64) { high |= 1 << UInt64(scalar) }
    }
    self.low = low
    self.high = high
    extraSteps = definition.steps - 1
  }

  /// The set contains the scalar. The function adds the steps beyond the instruction's own to `steps`.
  @inline(__always)
  func contains(_ scalar: UInt32, steps: inout Int) -> Bool {
    if scalar < 64 { return low & (1 << UInt64(scalar)) != 0 }
    if scalar < 128 { return high & (1 << UInt64(scalar - 64)) != 0 }
    steps += extraSteps
    return definition.contains(scalar)
  }
}

extension ScalarSet.Definition {
  static func one(_ scalar: UInt32) -> Self { .ranges([scalar...scalar]) }

  func contains(_ scalar: UInt32) -> Bool {
    switch self {
    case .ranges(let ranges): Self.holds(scalar, ranges)
    case .property(let holds): Unicode.Scalar(scalar).map(holds) ?? false
    case .complement(let inner): !inner.contains(scalar)
    case .union(let parts): parts.contains { $0.contains(scalar) }
    case .intersection(let left, let right): left.contains(scalar) && right.contains(scalar)
    case .difference(let left, let right): left.contains(scalar) && !right.contains(scalar)
    case .ignoringCase(let inner):
      inner.contains(scalar) || ScalarCase.variants(of: scalar).contains(where: inner.contains)
    }
  }

  private static func holds(_ scalar: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Bool {
    let place = (0..<ranges.count).division { ranges[$0].upperBound < scalar }
    return place < ranges.count && ranges[place].lowerBound <= scalar
  }

  /// The largest number of parts that an answer may need.
  var steps: Int {
    switch self {
    case .ranges, .property: 1
    case .complement(let inner): inner.steps
    case .union(let parts): max(1, parts.reduce(0) { $0 + $1.steps })
    case .intersection(let left, let right), .difference(let left, let right):
      left.steps + right.steps
    // At most three other scalars differ from a letter only in case.
    case .ignoringCase(let inner): min(4 * inner.steps, 1 << 24)
    }
  }

  func ignoringCase(_ isOn: Bool) -> Self { isOn ? .ignoringCase(self) : self }
}

/// Letters that differ only in case, scalar by scalar.
enum ScalarCase {
  /// The scalar that represents all scalars that differ only in case.
  ///
  /// This is the small letter of the capital, if each is one scalar: Unicode's simple folding.
  static func fold(_ scalar: UInt32) -> UInt32 {
    if scalar < 128 { return scalar >= 65 && scalar <= 90 ? scalar + 32 : scalar }
    // The capital of the dotless i is I, but the dotless i is a letter different from i.
    guard scalar != 0x131, let unicode = Unicode.Scalar(scalar) else { return scalar }
    let capital = single(unicode.properties.uppercaseMapping) ?? unicode
    return (single(capital.properties.lowercaseMapping) ?? capital).value
  }

  /// The other scalars that differ only in case from this one.
  static func variants(of scalar: UInt32) -> [UInt32] {
    let folded = fold(scalar)
    var found = [folded]
    if let unicode = Unicode.Scalar(folded), folded != 0x131 {
      for text in [unicode.properties.uppercaseMapping, unicode.properties.titlecaseMapping] {
        if let other = single(text) { found.append(other.value) }
      }
    }
    found += others[folded] ?? []
    return found.filter { $0 != scalar && fold($0) == folded }
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }

  /// Scalars that the mappings of their folded form do not lead to.
  private static let others: [UInt32: [UInt32]] = {
    var others: [UInt32: [UInt32]] = [:]
    for scalar in UInt32(0x80)...0x1_FFFF {
      guard let unicode = Unicode.Scalar(scalar), unicode.properties.changesWhenCaseFolded else {
        continue
      }
      let folded = fold(scalar)
      let capital = Unicode.Scalar(folded).flatMap { single($0.properties.uppercaseMapping) }
      if folded != scalar, capital != unicode { others[folded, default: []].append(scalar) }
    }
    return others
  }()
}
