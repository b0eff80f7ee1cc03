// SPDX-License-Identifier: MIT
import Foundation
import FoundationXML

/// A file as Foundation's own XML reader sees it, which shares nothing with the library's.
final class XMLTree {
  let name: String
  let attributes: [String: String]
  /// The names of the attributes, in their order in the file.
  let order: [String]
  fileprivate(set) var children: [XMLTree] = []

  fileprivate init(_ name: String, _ attributes: [String: String], order: [String]) {
    self.name = name
    self.attributes = attributes
    self.order = order
  }

  /// The name by which the element is found among its siblings.
  var key: String {
    let name = attributes["name"] ?? attributes["key"] ?? attributes["value"]
    return "\(self.name) \(name ?? attributes["property"] ?? "")"
  }

  static func parse(_ text: String) throws -> XMLTree {
    let builder = Builder(text)
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = builder
    guard parser.parse(), let root = builder.root else {
      throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
    }
    return root
  }

  private final class Builder: NSObject, XMLParserDelegate {
    private(set) var root: XMLTree?
    private var open: [XMLTree] = []
    /// The parser gives attributes without their order, so the tags are found in the text.
    private var orders: [[String]]

    init(_ text: String) {
      orders = text.utf8.split(separator: UInt8(ascii: "<"))
        .filter { $0.first.map { $0 > 0x40 } ?? false }
        .map(Self.attributeNames).reversed()
    }

    /// The words before a sign of equality, outside of quotes.
    private static func attributeNames(_ tag: Substring.UTF8View) -> [String] {
      let parts = tag.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
      return stride(from: 0, to: parts.count - 1, by: 2).map { index in
        let words = parts[index].dropLast().split(separator: UInt8(ascii: " "))
        return String(Substring(words.last ?? parts[index]))
      }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let element = XMLTree(name, attributes, order: orders.removeLast())
      open.last?.children.append(element)
      if root == nil { root = element }
      open.append(element)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      open.removeLast()
    }
  }
}

/// The differences between a file and the file that is written of its model, each with the places' kind alone.
struct XMLComparison {
  private(set) var differences: Set<String> = []

  static func differences(_ original: XMLTree, _ written: XMLTree) -> Set<String> {
    var comparison = XMLComparison()
    comparison.compare(original, written)
    return comparison.differences
  }

  private mutating func compare(_ original: XMLTree, _ written: XMLTree) {
    let place = original.name
    for name in Set(original.order + written.order) {
      let (before, after) = (original.attributes[name], written.attributes[name])
      switch (before, after) {
      // An empty text means that there is none.
      case ("", nil): break
      case (_?, nil): differences.insert("\(place)@\(name) is lost")
      case (nil, _?): differences.insert("\(place)@\(name) is new")
      case (let before?, let after?) where before != after:
        let isNumber = Double(before) != nil && Double(before) == Double(after)
        differences.insert("\(place)@\(name) is \(isNumber ? "another spelling" : "another text")")
      default: break
      }
    }
    let common = Set(original.order).intersection(written.order)
    if original.order.filter(common.contains) != written.order.filter(common.contains) {
      differences.insert("\(place) has another order of attributes")
    }
    compareChildren(original, written)
  }

  private mutating func compareChildren(_ original: XMLTree, _ written: XMLTree) {
    var left = Dictionary(grouping: written.children, by: \.key)
    var found: [XMLTree] = []
    for child in original.children {
      guard let match = left[child.key]?.first else {
        differences.insert("\(original.name)/\(child.name) is lost")
        continue
      }
      left[child.key]?.removeFirst()
      found.append(match)
      compare(child, match)
    }
    for child in left.values.joined() {
      differences.insert("\(original.name)/\(child.name) is new")
    }
    let kept = written.children.filter { child in found.contains { $0 === child } }
    if !zip(kept, found).allSatisfy({ $0 === $1 }) {
      differences.insert("\(original.name) has another order of elements")
    }
  }
}
