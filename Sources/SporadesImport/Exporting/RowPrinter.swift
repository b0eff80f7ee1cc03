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
  var bytes: [UInt8] = []
  private var count = 0
  /// The reason why the present row can not be written.
  private var failure: ExportError?
  let isFlat: Bool
  /// Numbers, dates and bytes in base64 may hold the delimiter or the quote.
  private let quotesAll: Bool

  init(_ plan: ExportPlan, _ form: ExportForm) throws(ImportError) {
    self.plan = plan
    self.form = form
    if case .csv(let csv) = form {
      (delimiter, quote) = try csv.characters()
    } else {
      (delimiter, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    }
    if case .csv = form { isFlat = true } else { isFlat = false }
    quotesAll = isFlat && ![delimiter, quote].allSatisfy { ",;\t|\"'".utf8.contains($0) }
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

  /// Writes an object, or throws if an import would make another object of it.
  mutating func append(_ object: ManagedObject) throws(ExportError) {
    if isFlat { appendLine(object) } else { appendRecord(object) }
    if let failure { throw failure }
  }

  /// Keeps the first reason why an object can not be written.
  mutating func refuse(
    _ title: String, of object: ManagedObject, _ reason: String,
    _ code: ExportError.Code = .request,
    _ underlying: (any Error)? = nil
  ) {
    failure =
      failure
      ?? ExportError(code, "\(title) of \(object.objectID): \(reason)", underlying: underlying)
  }

  private mutating func appendRecord(_ object: ManagedObject) {
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
    case .written(let relationship, let leaf, let wayBack):
      appendWritten(relationship, leaf, wayBack, of: object)
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
    checkKey(object, leaves)
    guard leaves.count > 1 else { return append(leaves[0], of: object) }
    bytes.append(UInt8(ascii: "{"))
    for (index, leaf) in leaves.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: Self.label(leaf.key))
      append(leaf, of: object)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ leaf: ExportPlan.Leaf, of object: ManagedObject) {
    if let wayBack = leaf.wayBack { return appendWritten(leaf, wayBack, of: object) }
    unsafe object.withCell(leaf.slot) { cell in
      switch unsafe cell {
      case .null: bytes.append(contentsOf: "null".utf8)
      case .word(let word): appendWord(word, leaf, of: object)
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
        if let target = object.target(inSlot: slot) {
          checkKey(target, leaves)
          appendField(leaves[0], of: target)
        }
      case .written(let relationship, let leaf, let wayBack):
        appendWritten(relationship, leaf, wayBack, of: object)
      case .group, .targets: break
      }
    }
    // A line without a character would be no row.
    if plan.columns.count == 1, bytes.last == 0x0A || bytes.isEmpty { bytes += [quote, quote] }
    bytes.append(contentsOf: [0x0D, 0x0A])
  }

  private mutating func appendField(_ leaf: ExportPlan.Leaf, of object: ManagedObject) {
    if let wayBack = leaf.wayBack { return appendWritten(leaf, wayBack, of: object) }
    let start = bytes.count
    unsafe object.withCell(leaf.slot) { cell in
      switch unsafe cell {
      case .null: break
      case .word(let word): appendWord(word, leaf, of: object)
      case .bytes(let content):
        switch leaf.type {
        case .string, .uri: unsafe appendField(content)
        case _ where unsafe content.isEmpty: bytes += [quote, quote]
        default: unsafe appendPlain(content, leaf.type)
        }
      }
    }
    guard quotesAll || leaf.coercion.writesPattern, ![.string, .uri].contains(leaf.type),
      start < bytes.count, bytes[start] != quote
    else { return }
    let content = Array(bytes[start...])
    bytes.removeSubrange(start...)
    unsafe content.withUnsafeBytes { unsafe appendField($0) }
  }

  /// Writes a text, in quotes where it needs them. A text without characters has them, because a field without quotes
  /// and characters means nil.
  mutating func appendField(_ content: UnsafeRawBufferPointer) {
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
  private mutating func appendWord(
    _ word: UInt64, _ leaf: ExportPlan.Leaf, of object: ManagedObject
  ) {
    switch leaf.type {
    case .boolean: bytes.append(contentsOf: (word == 0 ? "false" : "true").utf8)
    case .double, .float:
      let number = Double(bitPattern: word)
      guard !number.isInfinite else {
        return append(text: Array((number < 0 ? "-Infinity" : "Infinity").utf8))
      }
      bytes.append(contentsOf: (leaf.type == .double ? "\(number)" : "\(Float(number))").utf8)
    case .date: append(date: Double(bitPattern: word), leaf.coercion, leaf.title, of: object)
    default: JSONText.append(Int64(bitPattern: word), to: &bytes)
    }
  }

  /// Writes a date in its format.
  mutating func append(
    date seconds: Double, _ coercion: Coercion, _ title: String, of object: ManagedObject
  ) {
    let start = bytes.count
    let isQuoted = !isFlat && !coercion.writesNumber
    if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    if !coercion.append(date: seconds, to: &bytes) {
      refuse(
        title, of: object,
        "an import would read another date, because the format leaves out a part of it, or has no such year. Name "
          + "another format, or give key(_:to:) the closures that read and write the date.")
    }
    guard isQuoted else { return }
    bytes.append(UInt8(ascii: "\""))
    guard coercion.writesPattern else { return }
    let text = bytes[(start + 1)..<(bytes.count - 1)]
    bytes.removeSubrange(start...)
    JSONText.append(text, to: &bytes)
  }

  /// Writes a text that needs no quotes in CSV.
  private mutating func append(text: [UInt8]) {
    if isFlat { bytes += text } else { JSONText.append(text[...], to: &bytes) }
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
