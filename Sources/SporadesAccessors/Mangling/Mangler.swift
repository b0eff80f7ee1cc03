// SPDX-License-Identifier: MIT

/// Writes the symbols of accessors and methods as the Swift compiler names them (docs/ABI/Mangling.rst of the compiler).
struct Mangler {
  /// A part of a symbol. Later parts that are equal name its place.
  private enum Repeated: Hashable {
    case identifier(String)
    case nominal(Nominal)
    case type(ResolvedType)
  }

  /// The last substitution, which the next one can join.
  private struct LastSubstitution {
    /// The place behind the letter `A` or `S`.
    var start = 0
    var end = -1
    var count = 0
    var isStandard = false
  }

  /// The module that the symbol lies in, for the hashes of private names.
  let module: String
  var symbol: [UInt8] = Array("$s".utf8)
  /// The words of the identifiers so far.
  var words: [[UInt8]] = []
  private var repeated: [Repeated: Int] = [:]
  private var last = LastSubstitution()

  init(module: String) { self.module = module }

  mutating func append(_ text: String) { symbol.append(contentsOf: text.utf8) }

  // MARK: - Repeated parts

  private mutating func remember(_ part: Repeated) {
    repeated[part] = repeated[part] ?? repeated.count
  }

  private mutating func repeats(_ part: Repeated) -> Bool {
    guard let index = repeated[part] else { return false }
    guard index < 26 else {
      append(index == 26 ? "A_" : "A\(index - 27)_")
      return true
    }
    let letter = UInt8(ascii: "A") + UInt8(index)
    if !joinsLast(letter, isStandard: false) { symbol += [UInt8(ascii: "A"), letter] }
    return true
  }

  /// Joins a substitution with the one right before it: `AB` and `C` to `AbC`, `Si` and `i` to `S2i`.
  private mutating func joinsLast(_ letter: UInt8, isStandard: Bool) -> Bool {
    if last.count > 0, last.end == symbol.count, last.isStandard == isStandard,
      let before = symbol.last
    {
      if before != letter, !isStandard {
        symbol[symbol.count - 1] = before + 0x20
        last = LastSubstitution(
          start: symbol.count, end: symbol.count + 1, count: 1, isStandard: false)
        symbol.append(letter)
        return true
      }
      if before == letter, last.count < 2048 {
        last.count += 1
        symbol.removeSubrange(last.start...)
        append("\(last.count)")
        symbol.append(letter)
        last.end = symbol.count
        return true
      }
    }
    last = LastSubstitution(
      start: symbol.count + 1, end: symbol.count + 2, count: 1, isStandard: isStandard)
    return false
  }

  // MARK: - Names

  mutating func appendIdentifier(_ name: String) {
    if repeats(.identifier(name)) { return }
    appendNewIdentifier(name)
    remember(.identifier(name))
  }

  mutating func appendModule(_ name: String) {
    switch name {
    case "Swift": append("s")
    case "__C": append("So")
    default: appendIdentifier(name)
    }
  }

  /// Appends a name, with the hash of its file for a private one.
  mutating func appendName(_ name: String, privateFile: String?) {
    appendIdentifier(name)
    guard let privateFile else { return }
    let base = privateFile.split(separator: "/").last.map(String.init)
    appendIdentifier("_" + MD5.text(of: module + (base ?? privateFile)))
    append("LL")
  }

  mutating func appendContext(_ context: Nominal.Context) {
    switch context {
    case .module(let name): appendModule(name)
    case .type(let nominal): appendNominal(nominal)
    case .extension(let nominal, let module):
      appendNominal(nominal)
      appendModule(module)
      append("E")
    }
  }

  mutating func appendNominal(_ nominal: Nominal) {
    if appendStandard(nominal) || repeats(.nominal(nominal)) { return }
    appendContext(nominal.context)
    appendName(nominal.name, privateFile: nominal.privateFile)
    switch nominal.kind {
    case .class: append("C")
    case .struct: append("V")
    case .enum: append("O")
    case .protocol: append("P")
    }
    remember(.nominal(nominal))
  }

  /// Appends a protocol of an existential. The compiler repeats its context and its name, and not the whole.
  mutating func appendProtocol(_ nominal: Nominal) {
    if appendStandard(nominal) { return }
    appendContext(nominal.context)
    appendName(nominal.name, privateFile: nominal.privateFile)
  }

  private mutating func appendStandard(_ nominal: Nominal) -> Bool {
    guard nominal.context == .module("Swift") else { return false }
    if let code = StandardTypes.codes[nominal.name], let letter = code.utf8.first {
      if !joinsLast(letter, isStandard: true) { append("S\(code)") }
      return true
    }
    guard let code = StandardTypes.concurrencyCodes[nominal.name] else { return false }
    append("Sc\(code)")
    return true
  }

  // MARK: - Types that can be repeated

  /// Appends what makes a type with arguments, unless the symbol has it already.
  mutating func appendOnce(_ type: ResolvedType, _ make: (inout Mangler) -> Void) {
    if repeats(.type(type)) { return }
    make(&self)
    remember(.type(type))
  }
}
