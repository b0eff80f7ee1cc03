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

  /// The identifier of the store or coordinator, an upper-case UUID.
  public var identifier: String { Self.registry.withLock { $0.entries[Int(number)].identifier } }

  func entityName(_ number: Int) -> String {
    let names = Self.registry.withLock { $0.entries[Int(self.number)].entityNames }
    return number > 0 && number <= names.count ? names[number - 1] : "?"
  }

  /// The identifier of the store with the number, where the scope is that of a coordinator; else
  /// the scope's own.
  package func identifier(ofStore number: Int) -> String {
    Self.registry.withLock { registry in
      let entry = registry.entries[Int(self.number)]
      return entry.storeIdentifiers[number] ?? entry.identifier
    }
  }

  /// Says which store has a number, in the scope of a coordinator.
  package func setIdentifier(_ identifier: String, ofStore number: Int) {
    Self.registry.withLock {
      $0.entries[Int(self.number)].storeIdentifiers[number] = identifier
    }
  }

  private struct Entry {
    let identifier: String
    let entityNames: [String]
    var storeIdentifiers: [Int: String] = [:]
  }

  private struct Name: Hashable {
    let identifier: String
    let entityNames: [String]
  }

  private struct Registry {
    var entries: [Entry] = []
    var numbers: [Name: UInt32] = [:]

    mutating func number(of identifier: String, _ entityNames: [String]) -> UInt32 {
      let name = Name(identifier: identifier, entityNames: entityNames)
      if let known = numbers[name] { return known }
      let number = UInt32(entries.count)
      entries.append(Entry(identifier: identifier, entityNames: entityNames))
      numbers[name] = number
      return number
    }
  }

  private static let registry = Guarded(Registry())
}
