// SPDX-License-Identifier: MIT

/// Reads one line of CSV at a time out of a window, and notes its fields as nodes.
@safe
struct CSVScanner {
  private let base: UnsafePointer<UInt8>
  private let end: Int
  private let isLast: Bool
  private let delimiter: UInt8
  private let quote: UInt8
  private let trimsSpaces: Bool
  /// The index of the next byte.
  var place: Int
  var nodes: [RecordNode] = []

  @unsafe
  init(
    _ base: UnsafePointer<UInt8>, _ window: ByteWindow, _ delimiter: UInt8, _ quote: UInt8,
    trimsSpaces: Bool
  ) {
    unsafe self.base = base
    end = window.end
    isLast = window.isLast
    place = window.start
    self.delimiter = delimiter
    self.quote = quote
    self.trimsSpaces = trimsSpaces
  }

  /// Reads the fields of a line, and passes over its end.
  mutating func readLine() throws(ScanStop) {
    let index = nodes.count
    nodes.append(RecordNode(start: UInt32(place), count: 0, next: 0, kind: .row))
    repeat {
      if unsafe base[place] == quote { try readQuoted() } else { try readPlain() }
      nodes[index].count += 1
    } while try isBetweenFields()
    nodes[index].next = UInt32(nodes.count)
  }

  /// Passes over a delimiter, or over the end of the line, and tells which.
  private mutating func isBetweenFields() throws(ScanStop) -> Bool {
    let byte = unsafe base[place]
    if byte == delimiter {
      place += 1
      return true
    }
    if place == end {
      if isLast { return false }
      throw .needsMore
    }
    if byte == 0x0A {
      place += 1
      return false
    }
    guard byte == 0x0D else {
      throw .mistake(
        "something stands between the closing quote of a field and its end", place, .malformed)
    }
    if place + 1 == end, !isLast { throw .needsMore }
    guard unsafe base[place + 1] == 0x0A || place + 1 == end else {
      throw .mistake(
        "a carriage return stands alone; put the field in quotes, or end lines with a line feed",
        place, .malformed)
    }
    place = min(place + 2, end)
    return false
  }

  /// Reads a field without quotes around it. A quote inside it stands for itself.
  private mutating func readPlain() throws(ScanStop) {
    let start = place
    while true {
      let byte = unsafe base[place]
      if byte == delimiter || byte == 0x0A || byte == 0x0D { break }
      if byte == 0 {
        if place == end { break }
        throw .mistake("a field has a zero byte", place, .malformed)
      }
      place += byte < 0x80 ? 1 : try sequence()
    }
    if place == end, !isLast { throw .needsMore }
    var (first, last) = (start, place)
    if trimsSpaces {
      while unsafe first < last && base[first] == 0x20 { first += 1 }
      while unsafe first < last && base[last - 1] == 0x20 { last -= 1 }
    }
    add(first, last, first == last ? .blank : .text)
  }

  private mutating func readQuoted() throws(ScanStop) {
    place += 1
    let start = place
    var kind = RecordNode.Kind.text
    while true {
      let byte = unsafe base[place]
      if byte == quote {
        if place + 1 == end, !isLast { throw .needsMore }
        guard unsafe base[place + 1] == quote, place + 1 < end else { break }
        kind = .doubled
        place += 2
      } else if byte == 0 {
        guard place == end else {
          throw .mistake("a field has a zero byte", place, .malformed)
        }
        guard isLast else { throw .needsMore }
        throw .mistake("the input ends inside the quotes of a field", start - 1, .malformed)
      } else {
        place += byte < 0x80 ? 1 : try sequence()
      }
    }
    add(start, place, kind)
    place += 1
  }

  private func sequence() throws(ScanStop) -> Int {
    let length = unsafe UTF8Check.length(base + place)
    guard length > 0 else {
      if place + 4 > end, !isLast { throw .needsMore }
      throw .mistake("the text is not UTF-8", place, .encoding)
    }
    return length
  }

  @inline(__always)
  private mutating func add(_ start: Int, _ end: Int, _ kind: RecordNode.Kind) {
    nodes.append(
      RecordNode(
        start: UInt32(start), count: UInt32(end - start), next: UInt32(nodes.count + 1),
        kind: kind))
  }
}
