// SPDX-License-Identifier: MIT
public import Foundation
import SporadesMissingFoundation
import SporadesModel
import SporadesStore

/// A place in the histories of stores, which programs keep in archives.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  let token: PersistentHistoryToken

  init(_ token: PersistentHistoryToken) { self.token = token }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Tokens are equal if they name the same transactions.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.token == token
  }

  public override var hash: Int { token.hashValue }

  public override var description: String {
    let numbers = token.numbers.sorted { $0.key < $1.key }
    return
      "NSPersistentHistoryToken (\(numbers.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
  }

  // MARK: - Archives

  public static var supportsSecureCoding: Bool { true }

  private static let storesKey = "stores"
  private static let numbersKey = "numbers"

  public func encode(with coder: NSCoder) {
    let numbers = token.numbers.sorted { $0.key < $1.key }
    coder.encode(numbers.map(\.key) as NSArray, forKey: Self.storesKey)
    coder.encode(numbers.map { NSNumber(value: $0.value) } as NSArray, forKey: Self.numbersKey)
  }

  /// Reads a token out of an archive; nil if it holds something else.
  public init?(coder: NSCoder) {
    let stores = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: Self.storesKey)
    let numbers = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: Self.numbersKey)
    guard let stores = stores as? [String], let numbers = numbers as? [NSNumber],
      stores.count == numbers.count
    else { return nil }
    var token = PersistentHistoryToken()
    for (store, number) in zip(stores, numbers) {
      guard number.int64Value >= 0 else { return nil }
      token[store] = number.int64Value
    }
    self.token = token
  }
}

extension NSPersistentHistoryToken: KeyedObject {
  public func keyedValue(_ name: String) throws -> Any? {
    throw NSError.coreData(
      .general, "The token of a history has no property \(name). Compare whole tokens.")
  }

  /// The number of the transaction, for a token of one store.
  public var comparedAs: Value? {
    token.numbers.count == 1 ? token.numbers.first.map { .integer($0.value) } : nil
  }
}
