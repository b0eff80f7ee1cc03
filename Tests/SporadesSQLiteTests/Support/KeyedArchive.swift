// SPDX-License-Identifier: MIT
import Foundation

/// Objects of a keyed archive in a binary property list: what a store keeps its model in.
struct KeyedArchive {
  indirect enum Node {
    case integer(Int)
    case real(Double)
    case text(String)
    case data([UInt8])
    case list([Node])
    case fields([String: Node])
    /// Another object of the archive.
    case object(Int)
    case nothing
  }

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let width: Int
  private var objects: [Node] = []

  /// Nil for what is no such archive.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 40, bytes.starts(with: "bplist00".utf8) else { return nil }
    self.bytes = bytes
    func number(_ place: Int, _ width: Int) -> Int {
      bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
    }
    let trailer = bytes.count - 32
    let offsetWidth = Int(bytes[trailer + 6])
    width = Int(bytes[trailer + 7])
    let start = number(trailer + 24, 8)
    offsets = (0..<number(trailer + 8, 8)).map { number(start + $0 * offsetWidth, offsetWidth) }
    guard case .fields(let top) = node(number(trailer + 16, 8)),
      case .list(let all)? = top["$objects"]
    else { return nil }
    objects = all
    guard case .fields(let roots)? = top["$top"], let root = roots["root"] else { return nil }
    self.root = root
  }

  private(set) var root: Node = .nothing

  // MARK: - Objects

  func fields(_ node: Node?) -> [String: Node] {
    if case .fields(let fields)? = resolved(node) { fields } else { [:] }
  }

  func text(_ node: Node?) -> String? {
    if case .text(let text)? = resolved(node), text != "$null" { text } else { nil }
  }

  func integer(_ node: Node?) -> Int {
    if case .integer(let number)? = resolved(node) { number } else { 0 }
  }

  func className(_ node: Node?) -> String {
    text(fields(fields(node)["$class"])["$classname"]) ?? ""
  }

  func list(_ node: Node?) -> [Node] {
    if case .list(let list)? = resolved(node) { return list }
    return fields(node)["NS.objects"].map { list($0) } ?? []
  }

  /// The entries of a dictionary of either class that models have.
  func entries(_ node: Node?) -> [(String, Node)] {
    let own = fields(node)
    var (keys, values) = (list(own["NS.keys"]), list(own["NS.objects"]))
    if let mapping = own["NSKnownKeysMappingStrategy1"] ?? own["searchMapping"] {
      let names = fields(mapping)
      keys = list(names["NSKnownKeysMappingStrategy1.keys"] ?? names["keys"])
      values = list(own["values"] ?? own["NSKnownKeysDictionary1.values"])
    }
    return zip(keys, values).compactMap { key, value in text(key).map { ($0, value) } }
  }

  private func resolved(_ node: Node?) -> Node? {
    if case .object(let number)? = node { return objects[number] }
    return node
  }

  // MARK: - Nodes

  private func node(_ number: Int) -> Node {
    let place = offsets[number]
    let (kind, size) = (bytes[place] >> 4, Int(bytes[place] & 15))
    switch kind {
    case 0: return size == 9 ? .integer(1) : size == 8 ? .integer(0) : .nothing
    case 1: return .integer(unsigned(place + 1, 1 << size))
    case 2:
      let bits = UInt64(bitPattern: Int64(unsigned(place + 1, 1 << size)))
      return .real(
        size == 3
          ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case 8: return .object(unsigned(place + 1, size + 1))
    default: break
    }
    let (count, start) = extent(place, size)
    switch kind {
    case 4: return .data(Array(bytes[start..<start + count]))
    case 5: return .text(String(decoding: bytes[start..<start + count], as: UTF8.self))
    case 6:
      let units = (0..<count).map { UInt16(unsigned(start + $0 * 2, 2)) }
      return .text(String(decoding: units, as: UTF16.self))
    case 10, 12: return .list(references(start, count))
    case 13:
      let (keys, values) = (references(start, count), references(start + count * width, count))
      return .fields(
        Dictionary(
          zip(keys, values).compactMap { key, value in
            if case .text(let name) = key { (name, value) } else { nil }
          }, uniquingKeysWith: { one, _ in one }))
    default: return .nothing
    }
  }

  private func references(_ start: Int, _ count: Int) -> [Node] {
    (0..<count).map { node(unsigned(start + $0 * width, width)) }
  }

  private func extent(_ place: Int, _ size: Int) -> (count: Int, start: Int) {
    guard size == 15 else { return (size, place + 1) }
    let width = 1 << Int(bytes[place + 1] & 15)
    return (unsigned(place + 2, width), place + 2 + width)
  }

  private func unsigned(_ place: Int, _ width: Int) -> Int {
    bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
  }
}
