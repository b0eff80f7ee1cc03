// SPDX-License-Identifier: MIT
import SporadesModel

/// What a document may hold besides elements and text.
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
      guard current != nil else { throw cutShort() }
      guard isSpaced else { throw malformed("no space lies before a part of its declaration") }
      attributes.append(try attribute())
    }
    let names = attributes.map(\.name)
    let orders = [
      ["version"], ["version", "encoding"], ["version", "standalone"],
      ["version", "encoding", "standalone"],
    ]
    guard orders.contains(names), !bytes[start..<position].contains(UInt8(ascii: "&")) else {
      throw malformed("its declaration is not one of XML", at: start)
    }
    position += 2
    for (name, value) in attributes { try check(name, value, at: start) }
  }

  private func check(_ name: String, _ value: String, at place: Int) throws(ModelError) {
    switch name {
    case "encoding":
      if ["utf-8", "utf8", "us-ascii", "ascii"].contains(value.lowercased()) { return }
      throw error(.malformedFile, ModelFileGuard.otherEncoding, at: place)
    case "standalone":
      if ["yes", "no"].contains(value) { return }
    default:
      let minor = value.utf8.dropFirst(2)
      let isNumber = minor.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if value.hasPrefix("1."), !minor.isEmpty, isNumber { return }
    }
    throw malformed("its declaration has a \(name) that XML does not know", at: place)
  }

  mutating func skipInstruction() throws(ModelError) {
    let start = position
    position += 2
    let target = try name()
    // That name is the declaration's, which has its one place.
    if text(target).lowercased() == "xml" {
      throw malformed("its declaration is not at its beginning", at: start)
    }
    guard isNext("?>") || skipSpace() else {
      throw malformed("no space follows the name of an instruction")
    }
    try skip(past: "?>")
  }

  mutating func skipCommentOrData(insideElement: Bool) throws(ModelError) {
    if isNext("<!--") {
      position += 4
      try skip(past: "--")
      guard current != nil else { throw cutShort() }
      guard take(">") else { throw malformed("a comment holds --") }
    } else if isNext("<![CDATA[") {
      guard insideElement else { throw malformed("text lies outside of its elements") }
      position += 9
      try skip(past: "]]>")
    } else {
      throw malformed("<! begins neither a comment nor character data")
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
    throw cutShort()
  }
}
