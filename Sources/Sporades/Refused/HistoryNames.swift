// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
public import SporadesStore

// Calls and types of the module SporadesHistory in a program that has not imported it. The compiler chooses these only there.

extension DALService {
  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func history(after token: PersistentHistoryToken? = nil) throws(DALError)
    -> [PersistentHistoryTransaction]
  { trap(refusal) }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func history(for reader: String) throws(DALError) -> [PersistentHistoryTransaction] {
    trap(refusal)
  }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func currentPersistentHistoryToken() throws(DALError) -> PersistentHistoryToken? {
    trap(refusal)
  }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func observeHistory(
    as reader: String? = nil, _ body: @escaping @Sendable (PersistentHistoryChange) async -> Void
  ) throws(DALError) -> Never { trap(refusal) }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func historyReaders() throws(DALError) -> [HistoryReader] { trap(refusal) }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func removeHistoryReader(named name: String) throws(DALError) { trap(refusal) }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  @discardableResult
  public func cleanHistory() throws(DALError) -> Int { trap(refusal) }
}

extension ManagedObjectContext {
  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func fetchHistory() throws -> [PersistentHistoryTransaction] { trap(refusal) }

  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func mergeChanges(from transaction: PersistentHistoryTransaction) throws { trap(refusal) }
}

extension DataStack {
  /// Refuses the history without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
  )
  public func currentPersistentHistoryToken() throws(StoreError) -> PersistentHistoryToken? {
    trap(refusal)
  }
}

/// Refuses requests for the history without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public struct PersistentHistoryChangeRequest {
  public static func fetchHistory(after token: PersistentHistoryToken?) -> Self { trap(refusal) }
  public static func fetchHistory(after date: Date) -> Self { trap(refusal) }
  public static func deleteHistory(before token: PersistentHistoryToken) -> Self { trap(refusal) }
  public static func deleteHistory(before date: Date) -> Self { trap(refusal) }
}

/// Refuses descriptions of transactions without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public struct HistoryDescriptor {
  public init() { trap(refusal) }
}

/// Refuses filters of the history without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public struct HistoryFilter {
  public init(
    entities: Set<String>? = nil, kinds: Set<PersistentHistoryChange.ChangeType>? = nil,
    authors: Set<String>? = nil, excludedAuthors: Set<String> = []
  ) { trap(refusal) }
}

/// Refuses bounds of the history without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public struct HistoryRetention {
  public init(longestAge: Duration? = nil, largestCount: Int? = nil) { trap(refusal) }
}

/// Refuses observations of the history without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public final class HistoryObservation {}

/// Refuses cleanings of the history without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public final class HistoryCleaning {}

/// Refuses rules of merges without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesHistory to the target in Package.swift, and import SporadesHistory"
)
public final class RemoteMergeRule {}
