// SPDX-License-Identifier: MIT
import Foundation

/// What is in the text file: the last save that it shows, and a line for each note.
struct Page {
  struct Line {
    /// The number of changes of the note that the program has heard of.
    var changes: Int
    var text: String
  }

  var transaction: Int64 = 0
  /// By the keys of the notes.
  var lines: [Int64: Line] = [:]

  /// The lines in the order of their keys.
  var rows: [String] {
    lines.sorted { $0.key < $1.key }.map { "p\($0) \($1.changes) \($1.text)" }
  }

  /// Replaces the file by a whole new one, so that a reader never sees half of it.
  func write(to file: URL) throws {
    let text = (["transaction \(transaction)"] + rows).map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: file, options: .atomic)
  }
}

extension Page {
  /// Reads the file; nil if there is none.
  init?(readingFrom file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var rows = text.split(separator: "\n")[...]
    guard let first = rows.popFirst(), let number = Int64(first.dropFirst("transaction ".count))
    else { throw Damaged(file: file) }
    var lines: [Int64: Line] = [:]
    for row in rows {
      let parts = row.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, let key = Int64(parts[0].dropFirst()), let changes = Int(parts[1])
      else { throw Damaged(file: file) }
      lines[key] = Line(changes: changes, text: String(parts[2]))
    }
    self.init(transaction: number, lines: lines)
  }

  struct Damaged: Error, CustomStringConvertible {
    let file: URL
    var description: String {
      "\(file.path) is no text of this program. Remove it, and it is written anew."
    }
  }
}
