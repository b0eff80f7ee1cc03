// SPDX-License-Identifier: MIT

// Records that a program gives, in the form that readers of files make.
extension RecordBatch {
  /// Adds a record with the number of its row.
  mutating func append(_ record: ImportRecord, row: Int) {
    records.append(Record(node: nodes.count, start: bytes.count, row: row))
    add(.record(record))
  }

  /// Adds the nodes of a value, and returns the index of the first.
  mutating func append(_ value: ImportValue) -> Int {
    let index = nodes.count
    add(value)
    return index
  }

  private mutating func add(_ value: ImportValue) {
    switch value {
    case .null: add(.null, count: 0)
    case .boolean(let truth): add(truth ? .isTrue : .isFalse, count: 0)
    case .number(let text): add(text, JSONNumber.kind(of: text) ?? .text)
    case .text(let text): add(text, .text)
    case .array(let values):
      let index = add(.array, count: values.count)
      for value in values { add(value) }
      nodes[index].next = UInt32(nodes.count)
    case .record(let record):
      let index = add(.object, count: record.pairs.count)
      for (key, value) in record.pairs {
        add(key, .text)
        add(value)
      }
      nodes[index].next = UInt32(nodes.count)
    case .value:
      values.append(value)
      add(.given, start: values.count - 1, count: 0)
    }
  }

  @discardableResult
  private mutating func add(_ kind: RecordNode.Kind, start: Int = 0, count: Int) -> Int {
    let index = nodes.count
    nodes.append(
      RecordNode(
        start: UInt32(start), count: UInt32(count), next: UInt32(index + 1), kind: kind))
    return index
  }

  private mutating func add(_ text: String, _ kind: RecordNode.Kind) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    add(kind, start: start, count: bytes.count - start)
  }
}

/// The form of numbers in JSON.
enum JSONNumber {
  /// The kind of number that a text is; nil if it is none.
  static func kind(of text: String) -> RecordNode.Kind? {
    var digits = Substring(text)
    if digits.first == "-" { digits = digits.dropFirst() }
    guard let first = digits.first, first.isASCII, first.isNumber else { return nil }
    if digits.allSatisfy({ $0.isASCII && $0.isNumber }) { return .integer }
    return Double(text)?.isFinite == true ? .real : nil
  }
}
