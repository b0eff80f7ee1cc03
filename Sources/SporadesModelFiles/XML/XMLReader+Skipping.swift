// SPDX-License-Identifier: MIT
import SporadesModel

// The parts of a document besides elements and text: declaration, instructions, comments, character data.
extension XMLReader {
  mutating func skipDeclaration() throws(ModelError) {
    let start = position
    guard isNext("<?xml"), position + 5 < bytes.count, XMLCharacters.isSpace(bytes[position + 5])
    else { return }
    position += 5
    var attributes: [(name: String, value: String)] = []
    while true {
      let isSpaced = skipSpace()
      if isNext("?>") { break }
      guard current != nil else { throw makePrematureEnd() }
      guard isSpaced else {
        throw makeMalformed("a space is missing before a part of its declaration")
      }
      attributes.append(try readAttribute())
    }
    let names = attributes.map(\.name)
    let orders = [
      ["version"], ["version", "encoding"], ["version", "standalone"],
      ["version", "encoding", "standalone"],
    ]
    guard orders.contains(names), !bytes[start..<position].contains(UInt8(ascii: "&")) else {
      throw makeMalformed("its declaration is not an XML declaration", at: start)
    }
    position += 2
    for (name, value) in attributes { try checkDeclaration(name, value, at: start) }
  }

  private func checkDeclaration(_ name: String, _ value: String, at offset: Int) throws(ModelError)
  {
    switch name {
    case "encoding":
      if ["utf-8", "utf8", "us-ascii", "ascii"].contains(value.lowercased()) { return }
      throw makeError(.malformedFile, ModelFileGuard.otherEncoding, at: offset)
    case "standalone":
      if ["yes", "no"].contains(value) { return }
    default:
      let minor = value.utf8.dropFirst(2)
      let isNumber = minor.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if value.hasPrefix("1."), !minor.isEmpty, isNumber { return }
    }
    throw makeMalformed("its declaration has a \(name) that XML does not know", at: offset)
  }

  mutating func skipInstruction() throws(ModelError) {
    let start = position
    position += 2
    let target = try readName()
    // Only the declaration has that name, and it can stand only at the beginning.
    if text(target).lowercased() == "xml" {
      throw makeMalformed("its declaration is not at its beginning", at: start)
    }
    guard isNext("?>") || skipSpace() else {
      throw makeMalformed("a space is missing after the name of an instruction")
    }
    try skip(past: "?>")
  }

  mutating func skipCommentOrData(insideElement: Bool) throws(ModelError) {
    if isNext("<!--") {
      position += 4
      try skip(past: "--")
      guard current != nil else { throw makePrematureEnd() }
      guard take(">") else { throw makeMalformed("a comment contains --") }
    } else if isNext("<![CDATA[") {
      guard insideElement else { throw makeMalformed("text stands outside its elements") }
      position += 9
      try skip(past: "]]>")
    } else {
      throw makeMalformed("<! begins neither a comment nor character data")
    }
  }

  private mutating func skip(past mark: String) throws(ModelError) {
    let first = mark.utf8.first
    while let byte = current {
      if byte == first, isNext(mark) {
        position += mark.utf8.count
        return
      }
      position += 1
    }
    throw makePrematureEnd()
  }
}
