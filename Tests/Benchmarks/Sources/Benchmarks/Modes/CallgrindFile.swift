// SPDX-License-Identifier: MIT
import Foundation

/// What callgrind wrote: instructions by function, of which those by library are wanted.
struct CallgrindFile {
  /// Instructions a library or program executed itself, by its path.
  private var byObject: [Substring: Int] = [:]

  init(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var names: [Substring: Substring] = [:]
    var object: Substring = ""
    var isCall = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("ob=") {
        object = Self.name(line.dropFirst(3), &names)
      } else if line.hasPrefix("cob=") {
        // Names are told once and then abbreviated, wherever they occur first.
        _ = Self.name(line.dropFirst(4), &names)
      } else if line.hasPrefix("calls=") {
        isCall = true
      } else if let first = line.utf8.first, Self.beginsCost(first) {
        // The line after a call says what the called function cost, which has lines of its own.
        if !isCall, let cost = line.split(separator: " ").last.flatMap({ Int($0) }) {
          byObject[object, default: 0] += cost
        }
        isCall = false
      }
    }
  }

  func instructions(of isWanted: (Substring) -> Bool) -> Int {
    byObject.reduce(0) { $0 + (isWanted($1.key) ? $1.value : 0) }
  }

  /// `(3) /lib/libc.so.6`, and later `(3)` alone.
  private static func name(
    _ text: Substring, _ names: inout [Substring: Substring]
  ) -> Substring {
    guard let end = text.firstIndex(of: ")") else { return text }
    let number = text[...end]
    let rest = text[text.index(after: end)...].drop { $0 == " " }
    if !rest.isEmpty { names[number] = rest }
    return names[number] ?? ""
  }

  private static func beginsCost(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*")].contains(byte)
  }
}
