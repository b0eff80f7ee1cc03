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
  /// The pages that the log has behind damage in it.
  let lostFrames: Int
  private let file: Data
  private let log: Data
  /// The places of newer pages in the log.
  private let newer: [Int: Int]

  init(path: String) throws(CommandError) {
    do {
      file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch { throw .failed("\(path) cannot be read: \(OwnWords.of(error)).") }
    log = PendingLog.bytes(ofStoreAt: path)
    let head = Array(file.prefix(100))
    guard head.count == 100 else { throw .failed("\(path) is too short for a database.") }
    pageSize = PageSize.told(in: head) ?? Self.likelyPageSize(of: file)
    let reserved = PageSize.told(in: head) == nil ? 0 : Int(head[20])
    // SQLite needs 480 bytes of a page.
    usableSize = pageSize - (pageSize - reserved >= 480 ? reserved : 0)
    let pages = PendingLog(log, pageSize: pageSize)
    newer = pages.places
    lostFrames = pages.lostFrames
    count = max(file.count / pageSize, pages.pageCount)
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
    let sizes = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]
    func share(_ size: Int) -> Double {
      let count = min(file.count / size, 2_000)
      guard count > 1 else { return 0 }
      let trees = (1..<count).count { [2, 5, 10, 13].contains(file[file.startIndex + $0 * size]) }
      return Double(trees) / Double(count - 1)
    }
    // A larger size meets each second page, and as large a part of them; a smaller one meets the middle of pages, too.
    let most = sizes.map(share).max() ?? 0
    return most > 0 ? sizes.first { share($0) >= most * 0.75 } ?? 4_096 : 4_096
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
