// SPDX-License-Identifier: MIT
import SporadesModel

/// Turns the bytes of a model file into elements.
///
/// It reads the part of XML that model files use, strictly: what is not well-formed is refused.
/// Document types and entities are not read at all; `ModelFileGuard` has refused them before.
///
/// Rules:
/// 1. Every byte is looked at a bounded number of times, and nothing recurses, so that hostile
///    files cost no more than honest ones of their size.
/// 2. The guard has made sure that the bytes are UTF-8 and hold no character XML forbids.
struct XMLReader {
  let file: String
  let bytes: [UInt8]
  var position = 0
  private var open: [ModelElement] = []
  private var root: ModelElement?
  private var count = 0
  /// The line of the byte up to which line ends were counted.
  private var counted = (line: 1, end: 0)

  private init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  static func read(_ bytes: [UInt8], file: String) throws(ModelError) -> ModelElement {
    try ModelFileGuard(file: file).check(bytes)
    var reader = XMLReader(bytes, file: file)
    return try reader.document()
  }

  private mutating func document() throws(ModelError) -> ModelElement {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    try skipDeclaration()
    while let byte = current {
      if byte == UInt8(ascii: "<") {
        try markup()
      } else if open.isEmpty {
        if !skipSpace() { throw malformed("text lies outside of its elements") }
      } else {
        try skipText()
      }
    }
    guard open.isEmpty, let root else { throw cutShort() }
    return root
  }

  private mutating func markup() throws(ModelError) {
    switch following {
    case UInt8(ascii: "/"): try endTag()
    case UInt8(ascii: "?"): try skipInstruction()
    case UInt8(ascii: "!"): try skipCommentOrData(insideElement: !open.isEmpty)
    default: try startTag()
    }
  }

  // MARK: - Tags

  private mutating func startTag() throws(ModelError) {
    let start = position
    position += 1
    let name = try name()
    var attributes: [String: String] = [:]
    var isEmpty = false
    while true {
      let isSpaced = skipSpace()
      if take(">") { break }
      if take("/") {
        guard take(">") else { throw malformed("a tag holds a / before its end") }
        isEmpty = true
        break
      }
      guard current != nil else { throw cutShort() }
      guard isSpaced else { throw malformed("no space lies before an attribute") }
      let attribute = try attribute()
      if attributes.updateValue(attribute.value, forKey: attribute.name) != nil {
        throw malformed("an element has the attribute \(attribute.name) twice")
      }
    }
    guard !open.isEmpty || root == nil else {
      throw malformed("a second element follows the outermost one", at: start)
    }
    let element = ModelElement(
      name: text(name), attributes: attributes, line: lineOfPrecedingByte())
    try add(element, isEmpty: isEmpty)
  }

  private mutating func add(_ element: ModelElement, isEmpty: Bool) throws(ModelError) {
    count += 1
    if open.count >= ModelFileLimit.depth || count > ModelFileLimit.elements {
      throw error(
        .tooLarge, "nests deeper or holds more elements than any model; shorten it.",
        at: position - 1)
    }
    open.append(element)
    if isEmpty { close() }
  }

  private mutating func endTag() throws(ModelError) {
    let start = position
    position += 2
    let name = try name()
    skipSpace()
    guard current != nil else { throw cutShort() }
    guard take(">") else { throw malformed("an end tag holds more than a name") }
    guard let last = open.last else { throw malformed("an end tag closes nothing", at: start) }
    // Compared as bytes: strings that look alike are equal, names in XML are not.
    guard last.name.utf8.elementsEqual(bytes[name]) else {
      throw malformed("<\(last.name)> of line \(last.line) is closed by another tag", at: start)
    }
    close()
  }

  private mutating func close() {
    guard let closed = open.popLast() else { return }
    if open.isEmpty {
      root = closed
    } else {
      open[open.count - 1].children.append(closed)
    }
  }

  // MARK: - Lines and errors

  /// Counts on from the last call, so that all calls together cost one pass.
  private mutating func lineOfPrecedingByte() -> Int {
    for byte in bytes[counted.end..<position - 1] where byte == UInt8(ascii: "\n") {
      counted.line += 1
    }
    counted.end = position - 1
    return counted.line
  }

  func malformed(_ detail: String, at place: Int? = nil) -> ModelError {
    error(
      .malformedFile, "is not well-formed XML: \(detail); restore it from version control.",
      at: place ?? position)
  }

  func cutShort() -> ModelError { malformed("it ends too early", at: bytes.count) }

  func error(_ code: ModelError.Code, _ detail: String, at place: Int) -> ModelError {
    let line = bytes.prefix(place).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return ModelError([
      .init(code, location: .init(file: file, line: line), "The model file \(detail)")
    ])
  }
}
