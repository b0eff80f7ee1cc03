// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite

/// The files of a store, and their sizes.
struct StoreFiles {
  private let path: String
  private let size: Int
  /// The commits that are not in the file yet.
  private let pendingLog: Int
  private let pendingJournal: Int
  /// The pages that the log has behind damage in it.
  let lostFrames: Int
  /// The files with large values; nil if there is no folder for them.
  private let values: (count: Int, bytes: Int)?

  init(ofStoreAt path: String) throws(CommandError) {
    self.path = path
    let file = SystemFile.target(of: path)
    guard let size = SystemFile.size(file) else {
      throw .failed(
        "The size of \(path) cannot be read: \(SystemFile.message(SystemFile.lastError)).")
    }
    self.size = size
    pendingLog = SystemFile.size(file + "-wal") ?? 0
    lostFrames = try Self.lostFrames(file)
    pendingJournal = SystemFile.size(file + "-journal") ?? 0
    values = try Self.values(in: ValueFolder(ofStoreAt: SystemFile.absolute(file)).path)
  }

  /// The size of a page stands in the head of the file.
  private static func lostFrames(_ file: String) throws(CommandError) -> Int {
    let head: Data
    do {
      head = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped).prefix(100)
    } catch { throw .failed("\(file) cannot be read: \(error)") }
    guard head.count == 100, let size = PageSize.told(in: Array(head)) else { return 0 }
    return PendingLog(PendingLog.bytes(ofStoreAt: file), pageSize: size).lostFrames
  }

  private static func values(in folder: String) throws(CommandError) -> (count: Int, bytes: Int)? {
    guard SystemFile.kind(folder) != .none else { return nil }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return names.reduce((0, 0)) { sum, name in
        (sum.0 + 1, sum.1 + (SystemFile.size(folder + "/" + name) ?? 0))
      }
    } catch {
      throw .failed("The folder \(folder) cannot be listed: \(OwnWords.of(error)).")
    }
  }

  var json: JSON {
    .object([
      ("bytes", .count(size)), ("pendingLogBytes", .count(pendingLog)),
      ("lostLogPages", .count(lostFrames)),
      ("pendingJournalBytes", .count(pendingJournal)),
      ("valueFiles", .count(values?.count ?? 0)), ("valueFileBytes", .count(values?.bytes ?? 0)),
    ])
  }

  private var lossSentence: String {
    lostFrames == 0 ? "" : ". It is damaged: \(lostFrames) of its pages are lost"
  }

  /// The lines of a report, each with its title.
  var facts: [(String, String)] {
    var facts = [("File", ByteCount.text(size))]
    if pendingLog > 0 {
      facts.append(("Log", "\(ByteCount.text(pendingLog)) pending\(lossSentence)"))
    }
    if pendingJournal > 0 {
      facts.append(
        ("Journal", "\(ByteCount.text(pendingJournal)); a program did not end its commit"))
    }
    if let values {
      facts.append(("Values", "\(values.count) files, \(ByteCount.text(values.bytes))"))
    }
    return facts
  }
}

/// A number of bytes as people read it.
enum ByteCount {
  static func text(_ count: Int) -> String {
    guard count >= 1_000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var number = Double(count)
    for unit in ["kB", "MB", "GB", "TB"] {
      number /= 1_000
      if number < 999.95 || unit == "TB" { return "\((number * 10).rounded() / 10) \(unit)" }
    }
    return "\(count) bytes"
  }
}
