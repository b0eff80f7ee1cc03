// SPDX-License-Identifier: MIT

/// Files that no row names any more, and who in this process may still read them.
///
/// A reader that began before a file was released may see the row that names it, and take it into use;
/// one that began later does not.
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

  /// True where something may go that waited.
  mutating func end(_ reader: Int) -> Bool {
    readers.remove(reader)
    return !released.isEmpty
  }

  mutating func use(_ name: ValueName) { uses[name, default: 0] += 1 }

  /// True where the file waited for that.
  mutating func letGo(of name: ValueName) -> Bool {
    let left = uses[name, default: 1] - 1
    uses[name] = left > 0 ? left : nil
    return left <= 0 && released[name] != nil
  }

  mutating func forgetHolders() {
    readers = []
    uses = [:]
  }

  /// Those of the released files that nobody can read; they are forgotten here.
  mutating func take() -> [ValueName] {
    guard !released.isEmpty else { return [] }
    let first = readers.min() ?? Int.max
    let names = released.filter { $0.value < first && uses[$0.key] == nil }.map(\.key)
    for name in names { released[name] = nil }
    return names
  }

  var known: Set<ValueName> { Set(released.keys).union(uses.keys) }
}
