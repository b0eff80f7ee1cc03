// SPDX-License-Identifier: MIT
import SporadesModel

/// Turns the bytes of a model file into elements.
///
/// The reader knows the part of XML that model files use, and refuses every document that is not
/// well-formed. It does not know document types and entities, because `ModelFileGuard` refuses them first.
///
/// Rules:
/// 1. The reader looks at every byte a bounded number of times and does not recurse, so that a hostile file
///    costs no more time than another file of its size.
/// 2. The guard has checked that the bytes are UTF-8 and contain no character that XML forbids.
struct XMLReader {
  let file: String
  let bytes: [UInt8]
  private let form: XMLForm
  var position = 0
  private var open: [ModelElement] = []
  private var root: ModelElement?
  private var count = 0
  private var hasDocumentType = false
  /// The number of the line up to which the reader has counted line ends, and the index of that byte.
  private var counted = (line: 1, end: 0)

  private init(_ bytes: [UInt8], file: String, _ form: XMLForm) {
    self.bytes = bytes
    self.file = file
    self.form = form
  }

  static func read(
    _ bytes: [UInt8], file: String, _ form: XMLForm = .model
  ) throws(ModelError) -> ModelElement {
    try ModelFileGuard(file: file, form: form).check(bytes)
    var reader = XMLReader(bytes, file: file, form)
    return try reader.readDocument()
  }

  private mutating func readDocument() throws(ModelError) -> ModelElement {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    try skipDeclaration()
    while let byte = current {
      if byte == UInt8(ascii: "<") {
        try readMarkup()
      } else if open.isEmpty {
        if !skipSpace() { throw makeMalformed("text stands outside its elements") }
      } else {
        try readText()
      }
    }
    guard open.isEmpty, let root else { throw makePrematureEnd() }
    return root
  }

  private mutating func readText() throws(ModelError) {
    let start = position
    try skipText()
    if form.keepsText { open[open.count - 1].text += try expandText(start..<position) }
  }

  private mutating func readMarkup() throws(ModelError) {
    if !hasDocumentType, root == nil, open.isEmpty, let declaration = form.documentType,
      isNext(declaration)
    {
      position += declaration.utf8.count
      hasDocumentType = true
      return
    }
    switch following {
    case UInt8(ascii: "/"): try readEndTag()
    case UInt8(ascii: "?"): try skipInstruction()
    case UInt8(ascii: "!"): try skipCommentOrData(insideElement: !open.isEmpty)
    default: try readStartTag()
    }
  }

  // MARK: - Tags

  private mutating func readStartTag() throws(ModelError) {
    let start = position
    position += 1
    let name = try readName()
    var attributes: [String: String] = [:]
    var isEmpty = false
    while true {
      let isSpaced = skipSpace()
      if take(">") { break }
      if take("/") {
        guard take(">") else { throw makeMalformed("a tag contains a / before its end") }
        isEmpty = true
        break
      }
      guard current != nil else { throw makePrematureEnd() }
      guard isSpaced else { throw makeMalformed("a space is missing before an attribute") }
      let attribute = try readAttribute()
      if attributes.updateValue(attribute.value, forKey: attribute.name) != nil {
        throw makeMalformed("an element has the attribute \(attribute.name) twice")
      }
    }
    guard !open.isEmpty || root == nil else {
      throw makeMalformed("a second element follows the outermost one", at: start)
    }
    let element = ModelElement(
      name: text(name), attributes: attributes, line: lineOfPrecedingByte())
    try openElement(element, isEmpty: isEmpty)
  }

  private mutating func openElement(_ element: ModelElement, isEmpty: Bool) throws(ModelError) {
    count += 1
    if open.count >= ModelFileLimit.depth || count > ModelFileLimit.elements {
      throw makeError(
        .tooLarge, "nests deeper, or has more elements, than any real model; shorten it.",
        at: position - 1)
    }
    open.append(element)
    if isEmpty { closeElement() }
  }

  private mutating func readEndTag() throws(ModelError) {
    let start = position
    position += 2
    let name = try readName()
    skipSpace()
    guard current != nil else { throw makePrematureEnd() }
    guard take(">") else { throw makeMalformed("an end tag contains more than a name") }
    guard let last = open.last else { throw makeMalformed("an end tag closes nothing", at: start) }
    // Strings that look alike are equal, but names in XML are not, so the reader compares bytes.
    guard last.name.utf8.elementsEqual(bytes[name]) else {
      throw makeMalformed("<\(last.name)> of line \(last.line) is closed by another tag", at: start)
    }
    closeElement()
  }

  private mutating func closeElement() {
    guard let closed = open.popLast() else { return }
    if open.isEmpty {
      root = closed
    } else {
      open[open.count - 1].children.append(closed)
    }
  }

  // MARK: - Lines and errors

  /// Counts the lines since the last call, so that all calls together cost one pass over the file.
  private mutating func lineOfPrecedingByte() -> Int {
    for byte in bytes[counted.end..<position - 1] where byte == UInt8(ascii: "\n") {
      counted.line += 1
    }
    counted.end = position - 1
    return counted.line
  }

  func makeMalformed(_ detail: String, at offset: Int? = nil) -> ModelError {
    makeError(
      .malformedFile, "is not well-formed XML: \(detail); restore it from version control.",
      at: offset ?? position)
  }

  func makePrematureEnd() -> ModelError { makeMalformed("it ends too early", at: bytes.count) }

  func makeError(_ code: ModelError.Code, _ detail: String, at offset: Int) -> ModelError {
    let line = bytes.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return ModelError([
      .init(code, location: .init(file: file, line: line), "The model file \(detail)")
    ])
  }
}
