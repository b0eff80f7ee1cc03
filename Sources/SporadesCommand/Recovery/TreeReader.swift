// SPDX-License-Identifier: MIT
import SporadesSQL

/// A row of a table as it lies in a page.
struct SalvagedRow {
  let key: Int64
  let values: [SQLValue]
}

/// Reads the trees of a database page by page, and leaves out what cannot be read.
struct TreeReader {
  private let pages: DatabasePages
  /// The number of cells that could not be read.
  private(set) var unreadableCells = 0
  /// The number of pages of trees that hold no part of one.
  private(set) var unreadablePages = 0
  /// The pages that trees or the list of free pages name.
  private(set) var known: Set<Int> = []
  /// The pages with the rest of a row that was read. Each belongs to one row, so that a file cannot show it in many.
  private var taken: Set<Int> = []
  /// The number of pages that were looked at for rows that could not be read.
  private var wastedPages = 0

  init(_ pages: DatabasePages) {
    self.pages = pages
    noteFreePages()
  }

  // MARK: - Pages

  /// Hands over the rows of the table whose tree begins at a page. A page that is damaged ends its part of the tree.
  mutating func read(treeAt root: Int, _ body: (SalvagedRow) throws -> Void) rethrows {
    var waiting = [root]
    while let number = waiting.popLast() {
      // A page that two trees name would be read twice, and a circle would never end.
      guard known.insert(number).inserted else { continue }
      let head = number == 1 ? 100 : 0
      guard let page = pages.page(number) else {
        unreadablePages += 1
        continue
      }
      switch page[head] {
      case 0x05: waiting += children(of: page, head).reversed()
      case 0x0D: for row in rows(of: page, head) { try body(row) }
      default: unreadablePages += 1
      }
    }
  }

  /// Hands over the rows in pages that no tree names: the rest of a tree whose upper pages are damaged.
  mutating func readOrphans(_ body: (SalvagedRow) throws -> Void) rethrows {
    guard pages.count > 1 else { return }
    for number in 2...pages.count where !known.contains(number) {
      guard let page = pages.page(number), page[0] == 0x0D else { continue }
      for row in rows(of: page, 0) { try body(row) }
    }
  }

  private func children(of page: [UInt8], _ head: Int) -> [Int] {
    let cells = cellPlaces(of: page, head, pointers: 12)
    let left = cells.compactMap { $0 + 4 <= page.count ? number(page, $0) : nil }
    return left + [number(page, head + 8)]
  }

  private mutating func rows(of page: [UInt8], _ head: Int) -> [SalvagedRow] {
    cellPlaces(of: page, head, pointers: 8).compactMap { place in
      if let row = row(of: page, at: place) { return row }
      unreadableCells += 1
      return nil
    }
  }

  /// The places of the cells. A page whose head says more cells than it has room for has as many as there is room for.
  private func cellPlaces(of page: [UInt8], _ head: Int, pointers: Int) -> [Int] {
    let said = Int(page[head + 3]) << 8 | Int(page[head + 4])
    let room = (page.count - head - pointers) / 2
    return (0..<min(said, room)).compactMap { index in
      let place = head + pointers + 2 * index
      let cell = Int(page[place]) << 8 | Int(page[place + 1])
      return cell > head && cell < pages.usableSize ? cell : nil
    }
  }

  private func number(_ page: [UInt8], _ place: Int) -> Int {
    page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Notes the pages that the file's head lists as free. Their rows were deleted. A head that is none lists nothing.
  private mutating func noteFreePages() {
    guard let first = pages.page(1), first.starts(with: "SQLite format 3\0".utf8) else { return }
    var trunk = number(first, 32)
    while trunk > 1, known.insert(trunk).inserted, let page = pages.page(trunk) {
      let count = min(number(page, 4), (pages.usableSize - 8) / 4)
      for index in 0..<count { known.insert(number(page, 8 + 4 * index)) }
      trunk = number(page, 0)
    }
  }

  // MARK: - Rows

  private mutating func row(of page: [UInt8], at start: Int) -> SalvagedRow? {
    var place = start
    guard let size = varint(page, &place), let key = varint(page, &place), size > 0,
      size <= Int64(pages.count) * Int64(pages.pageSize),
      let payload = payload(of: Int(size), in: page, at: place),
      let values = RecordReader(payload).values()
    else { return nil }
    return SalvagedRow(key: key, values: values)
  }

  /// The content of a cell, with the rest that lies in other pages.
  private mutating func payload(of size: Int, in page: [UInt8], at place: Int) -> [UInt8]? {
    let usable = pages.usableSize
    let largest = usable - 35
    var local = size
    if size > largest {
      let least = (usable - 12) * 32 / 255 - 23
      let kept = least + (size - least) % (usable - 4)
      local = kept <= largest ? kept : least
    }
    guard place + local <= usable else { return nil }
    var bytes = Array(page[place..<place + local])
    guard local < size else { return bytes }
    guard place + local + 4 <= page.count else { return nil }
    var next = number(page, place + local)
    var seen: Set<Int> = []
    while bytes.count < size {
      guard wastedPages <= 4 * pages.count, !taken.contains(next), seen.insert(next).inserted,
        let more = pages.page(next)
      else {
        wastedPages += seen.count
        return nil
      }
      bytes += more[4..<4 + min(usable - 4, size - bytes.count)]
      next = number(more, 0)
    }
    taken.formUnion(seen)
    return bytes
  }

  /// A number of one to nine bytes.
  private func varint(_ bytes: [UInt8], _ place: inout Int) -> Int64? {
    RecordReader.varint(bytes, &place)
  }
}

/// Reads the values of a record.
struct RecordReader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func varint(_ bytes: [UInt8], _ place: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }

  /// Nil if the record does not fit its own description.
  func values() -> [SQLValue]? {
    var place = 0
    guard let headSize = Self.varint(bytes, &place), headSize >= 1, headSize <= bytes.count else {
      return nil
    }
    let end = Int(headSize)
    var body = end
    var values: [SQLValue] = []
    while place < end {
      guard let type = Self.varint(bytes, &place), place <= end,
        let value = value(type, &body)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private func value(_ type: Int64, _ place: inout Int) -> SQLValue? {
    switch type {
    case 0: return .null
    case 1, 2, 3, 4: return integer(Int(type), &place).map(SQLValue.integer)
    case 5: return integer(6, &place).map(SQLValue.integer)
    case 6: return integer(8, &place).map(SQLValue.integer)
    case 7:
      return integer(8, &place).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      let size = Int((type - 12) / 2)
      guard size <= bytes.count - place else { return nil }
      let content = bytes[place..<place + size]
      place += size
      if type % 2 == 0 { return .blob(Array(content)) }
      return String(validating: content, as: UTF8.self).map(SQLValue.text) ?? .blob(Array(content))
    default: return nil
    }
  }

  private func integer(_ size: Int, _ place: inout Int) -> Int64? {
    guard place + size <= bytes.count else { return nil }
    let content = bytes[place..<place + size]
    place += size
    let first: Int64 = content.first.map { $0 >= 0x80 } == true ? -1 : 0
    return content.reduce(first) { $0 << 8 | Int64($1) }
  }
}
