// SPDX-License-Identifier: MIT

/// The store an object id belongs to, as a number that costs nothing to copy.
///
/// Two stacks over the same store and model get the same scope, so their ids compare equal. What a
/// scope stands for is kept for as long as the process lives: one identifier and the names of the
/// model's entities, shared by all scopes of that model.
@frozen
public struct StoreScope: Hashable, Sendable {
  public let number: UInt32

  @inlinable
  init(number: UInt32) { self.number = number }

  /// The scope of the store with the identifier, whose entities are numbered from 1 in the order
  /// of `entityNames`.
  public init(identifier: String, entityNames: [String]) {
    number = Self.registry.withLock { $0.number(of: identifier, entityNames) }
  }

  /// The store's identifier, an upper-case UUID.
  public var identifier: String { Self.registry.withLock { $0.entries[Int(number)].identifier } }

  func entityName(_ number: Int) -> String {
    let names = Self.registry.withLock { $0.entries[Int(self.number)].entityNames }
    return number > 0 && number <= names.count ? names[number - 1] : "?"
  }

  private struct Entry: Hashable {
    let identifier: String
    let entityNames: [String]
  }

  private struct Registry {
    var entries: [Entry] = []
    var numbers: [Entry: UInt32] = [:]

    mutating func number(of identifier: String, _ entityNames: [String]) -> UInt32 {
      let entry = Entry(identifier: identifier, entityNames: entityNames)
      if let known = numbers[entry] { return known }
      let number = UInt32(entries.count)
      entries.append(entry)
      numbers[entry] = number
      return number
    }
  }

  private static let registry = Guarded(Registry())
}
