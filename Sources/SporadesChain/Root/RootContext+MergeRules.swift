// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// The fate of a transaction of another process.
public enum RemoteMergeDecision: Hashable, Sendable {
  /// The next rule decides. After the last one, the contexts merge the transaction.
  case goOn
  /// No other rule is asked, and the contexts do not merge the transaction. Their objects keep the values that they have,
  /// until a context merges it with `mergeChanges(from:)` or reads them again. A save of such an object is a conflict.
  case leaveOut
}

/// Code that sees each transaction of another process before the contexts of a stack merge it. It lasts until ``cancel()``
/// or until it is released.
public final class RemoteMergeRule: Sendable {
  let decide: @Sendable (PersistentHistoryTransaction) -> RemoteMergeDecision
  private weak let root: RootContext?

  init(
    _ root: RootContext,
    _ decide: @escaping @Sendable (PersistentHistoryTransaction) -> RemoteMergeDecision
  ) {
    self.root = root
    self.decide = decide
  }

  deinit { cancel() }

  /// Ends the rule. Returns false if it has ended before, or its stack is gone.
  @discardableResult
  public func cancel() -> Bool {
    let identity = ObjectIdentifier(self)
    return root?.mergeRules.withLock { rules in
      let count = rules.count
      rules.removeAll { $0.identity == identity }
      return rules.count < count
    } ?? false
  }
}

/// A rule as the root knows it, which does not keep it.
struct WeakMergeRule: Sendable {
  let identity: ObjectIdentifier
  private weak let rule: RemoteMergeRule?

  init(_ rule: RemoteMergeRule) {
    identity = ObjectIdentifier(rule)
    self.rule = rule
  }

  func decide(_ transaction: PersistentHistoryTransaction) -> RemoteMergeDecision {
    rule?.decide(transaction) ?? .goOn
  }
}

extension RootContext {
  /// Adds a rule behind all others, or before one of them.
  package func addMergeRule(
    before next: RemoteMergeRule?,
    _ decide: @escaping @Sendable (PersistentHistoryTransaction) -> RemoteMergeDecision
  ) throws(StoreError) -> RemoteMergeRule {
    if !store.keepsHistory { throw store.lackOfHistory }
    let rule = RemoteMergeRule(self, decide)
    mergeRules.withLock { rules in
      let place = next.flatMap { next in
        rules.firstIndex { $0.identity == ObjectIdentifier(next) }
      }
      rules.insert(WeakMergeRule(rule), at: place ?? rules.endIndex)
    }
    return rule
  }

  /// Asks the rules, and returns what the contexts merge.
  func withoutLeftOut(_ changes: OthersChanges, _ source: HistorySource) -> OthersChanges {
    let rules = mergeRules.withLock(\.self)
    guard let first = changes.transactions.min(), !rules.isEmpty else { return changes }
    var merged = OthersChanges(last: changes.last)
    var range = HistoryRange(after: first - 1, through: changes.last)
    do throws(StoreError) {
      while true {
        let part = try source.history(range)
        for transaction in part where changes.transactions.contains(transaction.transactionNumber) {
          let isLeftOut = rules.contains { $0.decide(transaction) == .leaveOut }
          if !isLeftOut { merged.add(transaction) }
        }
        guard let last = part.last?.transactionNumber, last < changes.last else { return merged }
        range.after = last
      }
    } catch {
      // The history is gone or cannot be read. The contexts then merge everything.
      return changes
    }
  }
}
