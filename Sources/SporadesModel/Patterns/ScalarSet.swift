// SPDX-License-Identifier: MIT

/// A set of Unicode scalars.
///
/// Scalars below 128 are looked up in a table; of the others the definition is asked.
struct ScalarSet: Sendable {
  private let low: UInt64
  private let high: UInt64
  private let definition: Definition

  /// What belongs to a set. The parser bounds how deep definitions nest.
  indirect enum Definition: Sendable {
    case ranges([ClosedRange<UInt32>])
    case property(@Sendable (Unicode.Scalar) -> Bool)
    case complement(Definition)
    case union([Definition])
    case intersection(Definition, Definition)
    case difference(Definition, Definition)
    /// The set and every scalar that differs in case alone from one of its scalars.
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
  }

  @inline(__always)
  func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return low & (1 << UInt64(scalar)) != 0 }
    if scalar < 128 { return high & (1 << UInt64(scalar - 64)) != 0 }
    return definition.contains(scalar)
  }
}

extension ScalarSet.Definition {
  static func one(_ scalar: UInt32) -> Self { .ranges([scalar...scalar]) }

  func contains(_ scalar: UInt32) -> Bool {
    switch self {
    case .ranges(let ranges): ranges.contains { $0.contains(scalar) }
    case .property(let holds): Unicode.Scalar(scalar).map(holds) ?? false
    case .complement(let inner): !inner.contains(scalar)
    case .union(let parts): parts.contains { $0.contains(scalar) }
    case .intersection(let left, let right): left.contains(scalar) && right.contains(scalar)
    case .difference(let left, let right): left.contains(scalar) && !right.contains(scalar)
    case .ignoringCase(let inner):
      inner.contains(scalar) || ScalarCase.variants(of: scalar).contains(where: inner.contains)
    }
  }

  func ignoringCase(_ isOn: Bool) -> Self { isOn ? .ignoringCase(self) : self }
}

/// Letters that differ in case alone, scalar by scalar.
enum ScalarCase {
  /// The scalar that stands for all that differ from this one in case alone.
  ///
  /// It is the small letter of the capital, as far as each is one scalar: Unicode's simple folding.
  static func fold(_ scalar: UInt32) -> UInt32 {
    if scalar < 128 { return scalar >= 65 && scalar <= 90 ? scalar + 32 : scalar }
    // The dotless i has the capital I, and is another letter all the same.
    guard scalar != 0x131, let unicode = Unicode.Scalar(scalar) else { return scalar }
    let capital = single(unicode.properties.uppercaseMapping) ?? unicode
    return (single(capital.properties.lowercaseMapping) ?? capital).value
  }

  /// The other scalars that differ from this one in case alone.
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

  /// Scalars that no mapping of their folded form leads to.
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
