// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The pages that commits have written into a log.
struct PendingLog {
  /// The places of the pages, by their numbers.
  private(set) var places: [Int: Int] = [:]
  /// The size of the database in pages after the last commit.
  private(set) var pageCount = 0
  /// The frames behind damage, and the damaged one. What was committed in them is lost, and SQLite does not say so. A last
  /// frame that was not written to its end is none: its commit was never confirmed.
  private(set) var lostFrames = 0

  /// The log beside a store.
  static func bytes(ofStoreAt path: String) -> Data {
    // `try?`: most stores have no log, and one that cannot be read is as none.
    (try? Data(contentsOf: URL(fileURLWithPath: path + "-wal"))) ?? Data()
  }

  init(_ log: Data, pageSize: Int) {
    let bytes = Array(log)
    func word(_ place: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
    }
    guard bytes.count > 32 else { return }
    var sum = LogChecksum(isBigEndian: word(0) & 1 == 1)
    sum.add(bytes[0..<24])
    guard word(0) & ~1 == 0x377F_0682, Int(word(8)) == pageSize, sum == (word(24), word(28)) else {
      lostFrames = (bytes.count - 32) / (24 + pageSize)
      return
    }
    let salts = (word(16), word(20))
    var open: [Int: Int] = [:]
    var place = 32
    // The first frame that is not of this log, or is damaged, ends what was committed.
    while place + 24 + pageSize <= bytes.count, (word(place + 8), word(place + 12)) == salts {
      sum.add(bytes[place..<place + 8])
      sum.add(bytes[place + 24..<place + 24 + pageSize])
      guard sum == (word(place + 16), word(place + 20)) else {
        let behind = stride(
          from: place + 24 + pageSize, to: bytes.count - 24 - pageSize + 1, by: 24 + pageSize
        )
        .count { (word($0 + 8), word($0 + 12)) == salts }
        lostFrames = behind == 0 ? 0 : behind + 1
        return
      }
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

/// The size of a database's pages.
enum PageSize {
  /// The size in the file's head, if it is one that SQLite writes.
  static func told(in head: [UInt8]) -> Int? {
    guard head.starts(with: "SQLite format 3\0".utf8) else { return nil }
    let size = Int(head[16]) << 8 | Int(head[17])
    if size == 1 { return 65_536 }
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }
}
