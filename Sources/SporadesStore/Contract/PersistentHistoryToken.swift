// SPDX-License-Identifier: MIT

/// A place in the histories of stores: for each store, the number of the last transaction before the place.
///
/// A reader keeps the token of the last transaction that it has worked through, and asks for what comes after it. The
/// token is a value that can be encoded, so a reader can keep it in a file or in the user's defaults.
///
/// ```text
/// let news = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: token))
/// token = news.token ?? token
/// ```
public struct PersistentHistoryToken: Hashable, Sendable {
  /// The numbers of the transactions, by the identifiers of their stores.
  public private(set) var numbers: [String: Int64]

  /// Makes a token of numbers of transactions. Without numbers it is the beginning of every history.
  public init(_ numbers: [String: Int64] = [:]) { self.numbers = numbers }

  /// The number of the transaction in the store with an identifier; nil if the token does not name the store.
  public subscript(store: String) -> Int64? {
    get { numbers[store] }
    set { numbers[store] = newValue }
  }

  /// The token is before the other one in some store, and behind it in none. Stores that only one of them names do not
  /// count.
  public func isEarlier(than other: PersistentHistoryToken) -> Bool {
    let pairs = numbers.compactMap { store, number in other[store].map { (number, $0) } }
    return pairs.allSatisfy(<=) && pairs.contains(where: <)
  }

  /// The token with the larger number of both for each store.
  public func advanced(to other: PersistentHistoryToken) -> PersistentHistoryToken {
    PersistentHistoryToken(numbers.merging(other.numbers, uniquingKeysWith: max))
  }
}

extension PersistentHistoryToken: Comparable {
  /// The left token is before the right one, as ``isEarlier(than:)`` says: `#Predicate { $0.token > token }`. Of tokens that
  /// name no store in common, none is before the other.
  public static func < (left: PersistentHistoryToken, right: PersistentHistoryToken) -> Bool {
    left.isEarlier(than: right)
  }
}

extension PersistentHistoryToken: Codable {
  /// Reads a dictionary of numbers by the identifiers of stores.
  public init(from decoder: any Decoder) throws {
    numbers = try decoder.singleValueContainer().decode([String: Int64].self)
    guard numbers.values.allSatisfy({ $0 >= 0 }) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "A token of a history has a negative number; read the history anew."))
    }
  }

  /// Writes a dictionary of numbers by the identifiers of stores.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(numbers)
  }
}
