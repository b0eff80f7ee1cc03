// SPDX-License-Identifier: MIT

/// Files that no row names any more, and the readers in this process that may still need them.
///
/// A reader that began before a file's release may see a row that names the file. A later reader does not.
struct FileRemoval {
  private var released: [ValueName: Int] = [:]
  private var uses: [ValueName: Int] = [:]
  private var readers: Set<Int> = []
  private var lastReader = 0

  mutating func add(_ name: ValueName) { released[name] = lastReader }

  mutating func begin() -> Int {
    lastReader += 1
    readers.insert(lastReader)
    return lastReader
  }

  /// Ends a read. True if released files are waiting.
  mutating func end(_ reader: Int) -> Bool {
    readers.remove(reader)
    return !released.isEmpty
  }

  mutating func use(_ name: ValueName) { uses[name, default: 0] += 1 }

  /// Ends one use of a file. True if the file was released and this was its last use.
  mutating func endUse(of name: ValueName) -> Bool {
    let left = uses[name, default: 1] - 1
    uses[name] = left > 0 ? left : nil
    return left <= 0 && released[name] != nil
  }

  mutating func forgetHolders() {
    readers = []
    uses = [:]
  }

  /// Takes the released files that no reader can see any more.
  mutating func take() -> [ValueName] {
    guard !released.isEmpty else { return [] }
    let first = readers.min() ?? Int.max
    let names = released.filter { $0.value < first && uses[$0.key] == nil }.map(\.key)
    for name in names { released[name] = nil }
    return names
  }

  var known: Set<ValueName> { Set(released.keys).union(uses.keys) }
}
