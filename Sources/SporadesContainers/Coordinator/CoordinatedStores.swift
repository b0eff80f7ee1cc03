// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The stores of a coordinator, as one value.
struct CoordinatedStores: Sendable {
  /// The stores, in the order in which the program added them.
  private(set) var added: [CoordinatedStore] = []
  /// The stores by number, which is the order of keys.
  private(set) var numbered: [CoordinatedStore] = []
  /// All numbers, also of removed stores, by the stores' identifiers. A number never passes to another store,
  /// so that an id of a removed store never names an object of another store.
  private(set) var numbers: [String: Int] = [:]
  var isClosed = false

  subscript(number: Int) -> CoordinatedStore? { numbered.first { $0.number == number } }

  func member(_ store: any PersistentStore) -> CoordinatedStore? {
    added.first { $0.store === store }
  }

  /// The store with an identifier, in capital or small letters.
  func member(identifiedBy identifier: String) -> CoordinatedStore? {
    added.first { $0.store.identifier.uppercased() == identifier.uppercased() }
  }

  /// The only store, if the coordinator never had another one. Its keys equal the coordinator's keys.
  var only: CoordinatedStore? {
    guard numbers.count == 1, let only = added.first else { return nil }
    return only
  }

  /// Finds or assigns the number of a store; nil if all numbers are in use.
  mutating func assignNumber(to identifier: String) -> Int? {
    if let known = numbers[identifier] { return known }
    guard numbers.count < RowKey.storeLimit else { return nil }
    let number = numbers.count
    numbers[identifier] = number
    return number
  }

  mutating func add(_ member: CoordinatedStore) {
    added.append(member)
    numbered = added.inNumberOrder { $0.number }
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
