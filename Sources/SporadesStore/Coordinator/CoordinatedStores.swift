// SPDX-License-Identifier: MIT
import SporadesModel

/// The stores of a coordinator, as one value.
struct CoordinatedStores: Sendable {
  /// In the order in which they were added.
  private(set) var added: [CoordinatedStore] = []
  /// By number, which is the order of keys.
  private(set) var numbered: [CoordinatedStore] = []
  /// Every number that was ever given, by the store's identifier. None is given to another store
  /// later, so an id of a store that was removed never means an object of another one.
  private(set) var numbers: [String: Int] = [:]
  var isClosed = false

  subscript(number: Int) -> CoordinatedStore? { numbered.first { $0.number == number } }

  func member(_ store: any PersistentStore) -> CoordinatedStore? {
    added.first { $0.store === store }
  }

  /// One store, the first there was: keys mean the same to it and to the coordinator.
  var only: CoordinatedStore? {
    guard numbers.count == 1, let only = added.first else { return nil }
    return only
  }

  /// Nil where all numbers are taken.
  mutating func number(for identifier: String) -> Int? {
    if let known = numbers[identifier] { return known }
    guard numbers.count < RowKey.storeLimit else { return nil }
    let number = numbers.count
    numbers[identifier] = number
    return number
  }

  mutating func add(_ member: CoordinatedStore) {
    added.append(member)
    numbered = added.sorted { $0.number < $1.number }
  }

  mutating func remove(_ number: Int) {
    added.removeAll { $0.number == number }
    numbered.removeAll { $0.number == number }
  }

  mutating func replace(_ member: CoordinatedStore) {
    numbers[member.store.identifier] = member.number
    added = added.map { $0.number == member.number ? member : $0 }
    numbered = numbered.map { $0.number == member.number ? member : $0 }
  }
}
