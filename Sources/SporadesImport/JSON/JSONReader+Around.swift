// SPDX-License-Identifier: MIT

// The parts before and behind the records.
extension JSONReader {
  /// Finds the first record.
  mutating func begin() throws(ImportError) {
    try window.passMark()
    switch form {
    case .lines: stage = .values(inLines: true)
    case .automatic:
      guard let byte = try peek() else {
        throw ImportError(
          .malformed, at: window.place(of: window.start),
          "The input is empty; JSON has at least one value.")
      }
      try begin(with: byte)
    case .at(let path):
      for key in path.split(separator: ".", omittingEmptySubsequences: false) {
        try enter(String(key), path)
      }
      let byte = try peekOrRefuse()
      if byte == UInt8(ascii: "[") { return try begin(with: byte) }
      stage = .single
    }
  }

  private mutating func begin(with byte: UInt8) throws(ImportError) {
    guard byte == UInt8(ascii: "[") else {
      stage = .values(inLines: try isLine())
      return
    }
    window.take(to: window.start + 1)
    stage = .elements(first: true)
  }

  /// The longest first line that is looked at.
  private static let longestLine = 1 << 18

  /// Whether the first value ends with its line, so that lines follow.
  private mutating func isLine() throws(ImportError) -> Bool {
    var end = window.lineEnd(from: window.start)
    while end == nil, !window.isLast, window.count < Self.longestLine {
      try window.fill()
      end = window.lineEnd(from: window.start)
    }
    guard let end else { return window.isLast }
    let line = ByteSource(Array(window.bytes[window.start..<end]))
    var reader = JSONReader(line, .lines, limits, block: end - window.start + 1)
    return try reader.next(1)?.failures.isEmpty == true
  }

  /// Goes into an object, behind the colon of a key.
  private mutating func enter(_ key: String, _ path: String) throws(ImportError) {
    let place = window.place(of: window.start)
    guard try peekOrRefuse() == UInt8(ascii: "{") else {
      throw ImportError(
        .malformed, at: place,
        "There is no object with the key \(key) of the path \(path); check the path.")
    }
    window.take(to: window.start + 1)
    openObjects += 1
    var isFirst = true
    while try goToKey(isFirst: isFirst) {
      isFirst = false
      if try readKey() == key { return }
      try passValue()
    }
    throw ImportError(
      .malformed, at: place,
      "The object here has no key \(key) of the path \(path); check the path.")
  }

  /// Reads the rest of the objects around the records, so that an input that ends early is noticed.
  mutating func finish() throws(ImportError) {
    while openObjects > 0 {
      while try goToKey(isFirst: false) {
        _ = try readKey()
        try passValue()
      }
      openObjects -= 1
    }
    if try peek() != nil { throw mistake("something follows behind the end") }
    stage = .ended
  }

  /// Goes to the quote of the next key; false behind the end of the object.
  private mutating func goToKey(isFirst: Bool) throws(ImportError) -> Bool {
    var byte = try peekOrRefuse()
    if byte == UInt8(ascii: "}") {
      window.take(to: window.start + 1)
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw mistake("a comma or } was expected here") }
      window.take(to: window.start + 1)
      byte = try peekOrRefuse()
    }
    guard byte == UInt8(ascii: "\"") else { throw mistake("a key in quotes was expected here") }
    return true
  }

  private mutating func readKey() throws(ImportError) -> String {
    let (nodes, bytes) = try readValue()
    var batch = RecordBatch()
    (batch.nodes, batch.bytes) = (nodes, bytes)
    let key = batch.text(of: nodes[0])
    guard try peekOrRefuse() == UInt8(ascii: ":") else {
      throw mistake("a colon was expected behind the key")
    }
    window.take(to: window.start + 1)
    return key
  }

  private mutating func passValue() throws(ImportError) {
    _ = try peekOrRefuse()
    _ = try readValue()
  }

  /// Reads the value at the beginning of the window. Its nodes refer to the returned bytes.
  private mutating func readValue() throws(ImportError) -> ([RecordNode], [UInt8]) {
    while true {
      let (window, depth, size) = (window, limits.depth, limits.size)
      let outcome = unsafe window.bytes.withUnsafeBufferPointer {
        bytes -> Result<([RecordNode], Int), ScanStop> in
        // because the window has zeros behind its end, the bytes have an address
        let base = unsafe bytes.baseAddress.unsafelyUnwrapped
        var scanner = unsafe JSONScanner(base, window, deepest: depth, staysInLine: false)
        do throws(ScanStop) {
          try scanner.readValue()
          guard scanner.place - window.start <= size else { throw .tooLarge(window.start) }
          return .success((scanner.nodes, scanner.place))
        } catch {
          return .failure(error)
        }
      }
      switch outcome {
      case .success((let nodes, let end)):
        self.window.take(to: end)
        return (nodes, window.bytes)
      case .failure(.needsMore): try grow()
      case .failure(.tooLarge(let index)):
        throw window.excess(at: index, limits.size, Self.advice)
      case .failure(.mistake(let detail, let index, let code)):
        throw ImportError(code, at: window.place(of: index), sentence(detail))
      }
    }
  }

  /// The next byte that is no space; nil at the end of the input.
  private mutating func peek() throws(ImportError) -> UInt8? {
    while true {
      var index = window.start
      while index < window.end, [0x20, 0x09, 0x0D, 0x0A].contains(window.bytes[index]) {
        index += 1
      }
      window.take(to: index)
      if index < window.end { return window.bytes[index] }
      if window.isLast { return nil }
      try window.fill()
    }
  }

  private mutating func peekOrRefuse() throws(ImportError) -> UInt8 {
    guard let byte = try peek() else { throw mistake("the input ends too early") }
    return byte
  }

  private func mistake(_ detail: String) -> ImportError {
    ImportError(.malformed, at: window.place(of: window.start), sentence(detail))
  }
}
