// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

/// Writes objects as rows of a form.
struct RowPrinter {
  private let plan: ExportPlan
  private let form: ExportForm
  private let delimiter: UInt8
  private let quote: UInt8
  /// The keys with their quotes and colons, by index of the column.
  private let labels: [[UInt8]]
  /// The keys of targets that were written before, by key of the row.
  private var targets: [UInt64: [UInt8]] = [:]
  private(set) var bytes: [UInt8] = []
  private var count = 0

  init(_ plan: ExportPlan, _ form: ExportForm) throws(ImportError) {
    self.plan = plan
    self.form = form
    if case .csv(let csv) = form {
      (delimiter, quote) = try csv.characters()
    } else {
      (delimiter, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    }
    labels = plan.columns.map { Self.label($0.key) }
  }

  private static func label(_ key: String) -> [UInt8] {
    var label: [UInt8] = []
    JSONText.append(Array(key.utf8)[...], to: &label)
    label.append(UInt8(ascii: ":"))
    return label
  }

  /// Forgets the bytes that were written.
  mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

  /// Writes what stands before the first row.
  mutating func begin() {
    switch form {
    case .jsonLines: break
    case .json: bytes.append(UInt8(ascii: "["))
    case .csv:
      for (index, column) in plan.columns.enumerated() {
        if index > 0 { bytes.append(delimiter) }
        let key = Array(column.key.utf8)
        unsafe key.withUnsafeBytes { unsafe appendField($0) }
      }
      bytes.append(contentsOf: [0x0D, 0x0A])
    }
  }

  /// Goes on behind rows that another printer wrote.
  mutating func goOn() { count = 1 }

  /// Writes what stands behind the last row.
  mutating func end() {
    if form == .json { bytes.append(contentsOf: "\n]\n".utf8) }
  }

  /// Writes an object.
  mutating func append(_ object: ManagedObject) {
    if case .csv = form { return appendLine(object) }
    if form == .json { bytes.append(contentsOf: (count > 0 ? ",\n" : "\n").utf8) }
    count += 1
    bytes.append(UInt8(ascii: "{"))
    for index in plan.columns.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: labels[index])
      append(plan.columns[index].content, of: object)
    }
    bytes.append(UInt8(ascii: "}"))
    if form == .jsonLines { bytes.append(0x0A) }
  }

  // MARK: - JSON

  private mutating func append(_ content: ExportPlan.Content, of object: ManagedObject) {
    switch content {
    case .attribute(let leaf): append(leaf, of: object)
    case .group(let columns):
      bytes.append(UInt8(ascii: "{"))
      for (index, column) in columns.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: Self.label(column.key))
        append(column.content, of: object)
      }
      bytes.append(UInt8(ascii: "}"))
    case .target(let slot, let leaves): appendTarget(slot, leaves, of: object)
    case .targets(let name, let leaves):
      bytes.append(UInt8(ascii: "["))
      for (index, member) in object.objects(forKey: name).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(keyOf: member, leaves)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private mutating func appendTarget(
    _ slot: Int, _ leaves: [ExportPlan.Leaf], of object: ManagedObject
  ) {
    guard let key = object.targetKey(slot) else { return bytes.append(contentsOf: "null".utf8) }
    let identity = key.rawValue ^ UInt64(slot) << 57
    if let known = targets[identity] { return bytes.append(contentsOf: known) }
    let start = bytes.count
    if let target = object.target(inSlot: slot) {
      append(keyOf: target, leaves)
    } else {
      bytes.append(contentsOf: "null".utf8)
    }
    if targets.count > 10_000 { targets.removeAll(keepingCapacity: true) }
    targets[identity] = Array(bytes[start...])
  }

  private mutating func append(keyOf object: ManagedObject, _ leaves: [ExportPlan.Leaf]) {
    guard leaves.count > 1 else { return append(leaves[0], of: object) }
    bytes.append(UInt8(ascii: "{"))
    for (index, leaf) in leaves.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: Self.label(leaf.name))
      append(leaf, of: object)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ leaf: ExportPlan.Leaf, of object: ManagedObject) {
    unsafe object.withCell(leaf.slot) { cell in
      switch unsafe cell {
      case .null: bytes.append(contentsOf: "null".utf8)
      case .word(let word): appendWord(word, leaf, isQuoted: true)
      case .bytes(let content):
        switch leaf.type {
        case .string, .uri: unsafe JSONText.append(content, to: &bytes)
        case .decimal where unsafe !content.elementsEqual("NaN".utf8):
          unsafe bytes.append(contentsOf: content)
        case .transformable where unsafe leaf.isJSON && JSONText.isArrayOrObject(content):
          unsafe bytes.append(contentsOf: content)
        default:
          bytes.append(UInt8(ascii: "\""))
          unsafe appendPlain(content, leaf.type)
          bytes.append(UInt8(ascii: "\""))
        }
      }
    }
  }

  // MARK: - CSV

  private mutating func appendLine(_ object: ManagedObject) {
    for (index, column) in plan.columns.enumerated() {
      if index > 0 { bytes.append(delimiter) }
      switch column.content {
      case .attribute(let leaf): appendField(leaf, of: object)
      case .target(let slot, let leaves):
        if let target = object.target(inSlot: slot) { appendField(leaves[0], of: target) }
      case .group, .targets: break
      }
    }
    // A line without a character would be no row.
    if plan.columns.count == 1, bytes.last == 0x0A || bytes.isEmpty { bytes += [quote, quote] }
    bytes.append(contentsOf: [0x0D, 0x0A])
  }

  private mutating func appendField(_ leaf: ExportPlan.Leaf, of object: ManagedObject) {
    unsafe object.withCell(leaf.slot) { cell in
      switch unsafe cell {
      case .null: break
      case .word(let word): appendWord(word, leaf, isQuoted: false)
      case .bytes(let content):
        switch leaf.type {
        case .string, .uri: unsafe appendField(content)
        case _ where unsafe content.isEmpty: bytes += [quote, quote]
        default: unsafe appendPlain(content, leaf.type)
        }
      }
    }
  }

  /// Writes a text, in quotes where it needs them. A text without characters has them, because a field without quotes
  /// and characters means nil.
  private mutating func appendField(_ content: UnsafeRawBufferPointer) {
    let needsQuotes =
      unsafe content.isEmpty || content.first == 0x20 || content.last == 0x20
      || content.contains {
        $0 == delimiter || $0 == quote || $0 == 0x0A || $0 == 0x0D
      }
    guard needsQuotes else { return unsafe bytes.append(contentsOf: content) }
    bytes.append(quote)
    for index in 0..<content.count {
      let byte = unsafe content[index]
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  // MARK: - Values

  /// Writes a number, a truth value or a date.
  private mutating func appendWord(_ word: UInt64, _ leaf: ExportPlan.Leaf, isQuoted: Bool) {
    switch leaf.type {
    case .boolean: bytes.append(contentsOf: (word == 0 ? "false" : "true").utf8)
    case .double: bytes.append(contentsOf: "\(Double(bitPattern: word))".utf8)
    case .float: bytes.append(contentsOf: "\(Float(Double(bitPattern: word)))".utf8)
    case .date:
      let isQuoted = isQuoted && !leaf.dates.isNumber
      if isQuoted { bytes.append(UInt8(ascii: "\"")) }
      leaf.dates.append(Double(bitPattern: word), to: &bytes)
      if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    default: JSONText.append(Int64(bitPattern: word), to: &bytes)
    }
  }

  /// Writes a decimal, a UUID, or bytes in base64.
  private mutating func appendPlain(_ content: UnsafeRawBufferPointer, _ type: AttributeType) {
    switch type {
    case .uuid:
      for index in 0..<content.count {
        let byte = unsafe content[index]
        if [4, 6, 8, 10].contains(index) { bytes.append(UInt8(ascii: "-")) }
        bytes.append(JSONText.hexadecimal(byte >> 4))
        bytes.append(JSONText.hexadecimal(byte & 15))
      }
    case .binary, .transformable:
      bytes.append(contentsOf: unsafe Data(content).base64EncodedData())
    default: unsafe bytes.append(contentsOf: content)
    }
  }
}
