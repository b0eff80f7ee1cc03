// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Turns the bytes of a model file into elements.
final class ModelXMLParser: NSObject, XMLParserDelegate {
  private let file: String
  private var open: [ModelElement] = []
  private var root: ModelElement?
  private var count = 0
  private var failure: ModelError?

  private init(file: String) { self.file = file }

  static func parse(_ bytes: [UInt8], file: String) throws(ModelError) -> ModelElement {
    try ModelFileGuard(file: file).check(bytes)
    let delegate = ModelXMLParser(file: file)
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = delegate
    let succeeded = parser.parse()
    if let failure = delegate.failure { throw failure }
    // The result alone does not tell: on Linux it can be true for a document cut short.
    guard succeeded, parser.parserError == nil, delegate.open.isEmpty, let root = delegate.root
    else {
      throw delegate.error(
        .malformedFile, parser, "is not well-formed XML; restore it from version control.")
    }
    return root
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    guard failure == nil else { return }
    count += 1
    if open.count >= ModelFileLimit.depth || count > ModelFileLimit.elements {
      failure = error(
        .tooLarge, parser, "nests deeper or holds more elements than any model; shorten it.")
      parser.abortParsing()
      return
    }
    open.append(ModelElement(name: name, attributes: attributes, line: max(1, parser.lineNumber)))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard failure == nil, let closed = open.popLast() else { return }
    if open.isEmpty {
      root = closed
    } else {
      open[open.count - 1].children.append(closed)
    }
  }

  private func error(
    _ code: ModelError.Code, _ parser: XMLParser, _ detail: String
  ) -> ModelError {
    ModelError([
      .init(
        code, location: .init(file: file, line: max(1, parser.lineNumber)),
        "The model file \(detail)")
    ])
  }
}
