// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The pages of a database file as they are on the disk, with the committed pages of its log over them.
///
/// The file may be damaged anywhere, so that no number in it is believed: each is compared with what the file has room for
/// (https://sqlite.org/fileformat.html).
struct DatabasePages {
  let pageSize: Int
  /// The bytes of a page that the tree uses.
  let usableSize: Int
  /// The number of pages that there are bytes for.
  let count: Int
  private let file: Data
  private let log: Data
  /// The places of newer pages in the log.
  private let newer: [Int: Int]

  init(path: String) throws(CommandError) {
    do {
      file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch { throw .failed("\(path) cannot be read: \(error)") }
    let logPath = path + "-wal"
    // `try?`: most stores have no log, and one that cannot be read is as none.
    log = (try? Data(contentsOf: URL(fileURLWithPath: logPath))) ?? Data()
    let head = Array(file.prefix(100))
    guard head.count == 100 else { throw .failed("\(path) is too short for a database.") }
    pageSize = Self.pageSize(in: head) ?? Self.likelyPageSize(of: file)
    let reserved = Self.pageSize(in: head) == nil ? 0 : Int(head[20])
    // SQLite needs 480 bytes of a page.
    usableSize = pageSize - (pageSize - reserved >= 480 ? reserved : 0)
    let pages = LogPages(log, pageSize: pageSize)
    newer = pages.places
    count = max(file.count / pageSize, pages.pageCount)
  }

  /// The size in the file's head, if it is one that SQLite writes.
  private static func pageSize(in head: [UInt8]) -> Int? {
    guard head.starts(with: "SQLite format 3\0".utf8) else { return nil }
    let size = Int(head[16]) << 8 | Int(head[17])
    if size == 1 { return 65_536 }
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }

  /// The size that the first page tells by its last cell, which ends where the page ends; else the size by which most
  /// pages begin as pages of a tree do.
  private static func likelyPageSize(of file: Data) -> Int {
    let head = Array(file.prefix(1_000))
    if head.count == 1_000, [0x05, 0x0D].contains(head[100]) {
      let pointers = 100 + (head[100] == 0x05 ? 12 : 8)
      let count = min(Int(head[103]) << 8 | Int(head[104]), (1_000 - pointers) / 2)
      let last = (0..<count).map {
        Int(head[pointers + 2 * $0]) << 8 | Int(head[pointers + 2 * $0 + 1])
      }.max()
      if let last,
        let size = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536].first(where: {
          $0 > last
        })
      {
        return size
      }
    }
    let sizes = [4_096, 1_024, 2_048, 8_192, 16_384, 32_768, 65_536, 512]
    func share(_ size: Int) -> Double {
      let count = min(file.count / size, 2_000)
      guard count > 1 else { return 0 }
      let trees = (1..<count).count { [2, 5, 10, 13].contains(file[file.startIndex + $0 * size]) }
      return Double(trees) / Double(count - 1)
    }
    return sizes.max { share($0) < share($1) } ?? 4_096
  }

  /// The bytes of a page, which are numbered from 1; nil if there are none.
  func page(_ number: Int) -> [UInt8]? {
    guard 1...max(count, 1) ~= number else { return nil }
    if let place = newer[number] {
      return Array(log[log.startIndex + place..<log.startIndex + place + pageSize])
    }
    let (start, isTooLarge) = (number - 1).multipliedReportingOverflow(by: pageSize)
    guard !isTooLarge, start + pageSize <= file.count else { return nil }
    return Array(file[file.startIndex + start..<file.startIndex + start + pageSize])
  }
}

/// The pages that commits have written into a log.
private struct LogPages {
  /// The places of the pages, by their numbers.
  private(set) var places: [Int: Int] = [:]
  /// The size of the database in pages after the last commit.
  private(set) var pageCount = 0

  init(_ log: Data, pageSize: Int) {
    let bytes = Array(log)
    func word(_ place: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
    }
    guard bytes.count > 32, word(0) & ~1 == 0x377F_0682, Int(word(8)) == pageSize else { return }
    var sum = LogChecksum(isBigEndian: word(0) & 1 == 1)
    sum.add(bytes[0..<24])
    guard sum == (word(24), word(28)) else { return }
    let salts = (word(16), word(20))
    var open: [Int: Int] = [:]
    var place = 32
    // The first frame that is not of this log, or is damaged, ends what was committed.
    while place + 24 + pageSize <= bytes.count, (word(place + 8), word(place + 12)) == salts {
      sum.add(bytes[place..<place + 8])
      sum.add(bytes[place + 24..<place + 24 + pageSize])
      guard sum == (word(place + 16), word(place + 20)) else { return }
      open[Int(word(place))] = place + 24
      let size = Int(word(place + 4))
      if size > 0 {
        places.merge(open) { $1 }
        open.removeAll()
        pageCount = size
      }
      place += 24 + pageSize
    }
  }
}

/// The running checksum of a log.
private struct LogChecksum {
  private let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.startIndex
    while place + 8 <= bytes.endIndex {
      first &+= word(bytes, place) &+ second
      second &+= word(bytes, place + 4) &+ first
      place += 8
    }
  }

  private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
    let four = bytes[place..<place + 4]
    return isBigEndian
      ? four.reduce(0) { $0 << 8 | UInt32($1) } : four.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  static func == (sum: Self, words: (UInt32, UInt32)) -> Bool {
    sum.first == words.0 && sum.second == words.1
  }
}
