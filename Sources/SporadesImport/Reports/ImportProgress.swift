// SPDX-License-Identifier: MIT

/// The progress of an import: a value that a terminal bar shows, and that `for await` delivers.
public struct ImportProgress: Hashable, Sendable {
  /// The number of bytes that were read.
  public var bytes = 0
  /// The number of bytes of the whole input; nil if nobody knows it in advance.
  public var totalBytes: Int?
  /// The number of rows that were read, the refused ones included.
  public var rows = 0
  /// The number of rows that made an object.
  public var made = 0
  /// The number of rows that changed an object.
  public var updated = 0
  /// The number of rows whose object had all their values already.
  public var unchanged = 0
  /// The number of rows that a hook, a filter or a rule for repeated keys left out.
  public var skipped = 0
  /// The number of rows that were refused.
  public var failed = 0
  /// The number of objects that were deleted because the input does not have them.
  public var deleted = 0

  /// Makes the progress of an import that has not begun.
  public init() {}

  /// The part of the input that was read, from 0 to 1; nil if nobody knows its size.
  public var fraction: Double? {
    guard let totalBytes else { return nil }
    return totalBytes == 0 ? 1 : min(1, Double(bytes) / Double(totalBytes))
  }

  /// A line for a terminal: `[#####.....]  50 %  1200 rows, 1100 made, 90 updated, 10 failed`.
  public func bar(width: Int = 30) -> String {
    let counts = [(made, "made"), (updated, "updated"), (failed, "failed"), (deleted, "deleted")]
      .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    let text = "\(rows) rows\(counts)"
    guard let fraction else { return text }
    let full = Int(fraction * Double(max(0, width)))
    let bar =
      String(repeating: "#", count: full) + String(repeating: ".", count: max(0, width - full))
    let percent = "\(Int(fraction * 100))"
    return
      "[\(bar)] \(String(repeating: " ", count: max(0, 3 - percent.count)))\(percent) %  \(text)"
  }
}
