// SPDX-License-Identifier: MIT

/// The store or coordinator of an object id, as a number that costs nothing to copy.
///
/// Two stacks over the same store and model get the same scope, so their ids compare equal. The
/// process keeps the identifier and the entity names of every scope until it ends. Scopes of one
/// model share the entity names.
@frozen
public struct StoreScope: Hashable, Sendable {
  /// The index of the scope in the list that the process keeps.
  public let number: UInt32

  @inlinable
  init(number: UInt32) { self.number = number }

  /// Finds or adds the scope of a store. The first name belongs to the entity with the number 1.
  public init(identifier: String, entityNames: [String]) {
    number = Self.registry.withLock { $0.number(of: identifier, entityNames) }
  }

  /// The identifier of the store or coordinator, an upper-case UUID.
  public var identifier: String { Self.registry.withLock { $0.entries[Int(number)].identifier } }

  func entityName(_ number: Int) -> String {
    let names = Self.registry.withLock { $0.entries[Int(self.number)].entityNames }
    return number > 0 && number <= names.count ? names[number - 1] : "?"
  }

  /// The identifier of one store of a coordinator. A scope of a single store gives its own identifier.
  package func identifier(ofStore number: Int) -> String {
    Self.registry.withLock { registry in
      let entry = registry.entries[Int(self.number)]
      return entry.storeIdentifiers[number] ?? entry.identifier
    }
  }

  /// Records the identifier of one store of a coordinator.
  package func setIdentifier(_ identifier: String, ofStore number: Int) {
    Self.registry.withLock {
      $0.entries[Int(self.number)].storeIdentifiers[number] = identifier
    }
  }

  /// The scopes, the store's numbers in them and the entity's numbers, for each stack over the store.
  static func places(
    ofStore identifier: String, entity: String
  ) -> [(scope: StoreScope, store: Int, entity: Int)] {
    registry.withLock { registry in
      var places: [(scope: StoreScope, store: Int, entity: Int)] = []
      for (number, entry) in registry.entries.enumerated() {
        guard let index = entry.entityNames.firstIndex(of: entity) else { continue }
        let isWhole = entry.identifier == identifier && entry.storeIdentifiers.isEmpty
        let known = entry.storeIdentifiers.filter { $0.value == identifier }.map(\.key)
        for store in isWhole ? [0] : known {
          places.append((StoreScope(number: UInt32(number)), store, index + 1))
        }
      }
      return places
    }
  }

  private struct Entry {
    let identifier: String
    let entityNames: [String]
    var storeIdentifiers: [Int: String] = [:]
  }

  private struct Registry {
    var entries: [Entry] = []
    /// The numbers of the scopes with an identifier: one for each list of entities.
    var numbers: [String: [UInt32]] = [:]

    mutating func number(of identifier: String, _ entityNames: [String]) -> UInt32 {
      let known = numbers[identifier] ?? []
      if let number = known.first(where: { entries[Int($0)].entityNames == entityNames }) {
        return number
      }
      let number = UInt32(entries.count)
      entries.append(Entry(identifier: identifier, entityNames: entityNames))
      numbers[identifier] = known + [number]
      return number
    }
  }

  private static let registry = Guarded(Registry())
}
