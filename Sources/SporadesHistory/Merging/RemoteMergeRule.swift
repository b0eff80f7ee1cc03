// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
import SporadesModel
public import SporadesStore

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
  private weak let rules: MergeRules?

  init(
    _ rules: MergeRules,
    _ decide: @escaping @Sendable (PersistentHistoryTransaction) -> RemoteMergeDecision
  ) {
    self.rules = rules
    self.decide = decide
  }

  deinit { cancel() }

  /// Ends the rule. Returns false if it has ended before, or its stack is gone.
  @discardableResult
  public func cancel() -> Bool { rules?.remove(ObjectIdentifier(self)) ?? false }
}

/// The rules that each transaction of another process passes before the contexts of a stack merge it, in their order.
final class MergeRules: MergeFilter {
  /// A rule, which the stack does not keep.
  private struct WeakRule: Sendable {
    let identity: ObjectIdentifier
    weak let rule: RemoteMergeRule?
  }

  private let rules = Guarded<[WeakRule]>([])

  /// Adds a rule behind all others, or before one of them.
  func add(_ rule: RemoteMergeRule, before next: RemoteMergeRule?) {
    rules.withLock { rules in
      let place = next.flatMap { next in
        rules.firstIndex { $0.identity == ObjectIdentifier(next) }
      }
      rules.insert(
        WeakRule(identity: ObjectIdentifier(rule), rule: rule), at: place ?? rules.endIndex)
    }
  }

  /// Returns false if the rule is not there.
  func remove(_ identity: ObjectIdentifier) -> Bool {
    rules.withLock { rules in
      let count = rules.count
      rules.removeAll { $0.identity == identity }
      return rules.count < count
    }
  }

  func merged(_ changes: OthersChanges, from source: HistorySource) -> OthersChanges {
    let rules = rules.withLock(\.self)
    guard let first = changes.transactions.min(), !rules.isEmpty else { return changes }
    var merged = OthersChanges(last: changes.last)
    var range = HistoryRange(after: first - 1, through: changes.last)
    do throws(StoreError) {
      while true {
        let part = try source.history(range)
        for transaction in part where changes.transactions.contains(transaction.transactionNumber) {
          let isLeftOut = rules.contains { $0.rule?.decide(transaction) == .leaveOut }
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

extension OthersChanges {
  /// Adds the changes of a transaction.
  public mutating func add(_ transaction: PersistentHistoryTransaction) {
    transactions.insert(transaction.transactionNumber)
    for change in transaction.changes ?? [] {
      add(change.changedObjectID, isInserted: change.changeType == .insert)
    }
  }
}

extension DataStack {
  /// Asks `decide` about each transaction of another process before the stack's contexts merge it, one after the other in
  /// their order, until the returned rule is cancelled or released. Rules are asked in the order in which they were
  /// added, or before another one.
  ///
  /// The stores must keep a history. `decide` runs on a thread of its own and may write. Contexts merge after it has
  /// returned; reads and writes do not wait for it. More than ten thousand changed objects are merged without a question.
  public func addRemoteMergeRule(
    before next: RemoteMergeRule? = nil,
    _ decide: @escaping @Sendable (PersistentHistoryTransaction) -> RemoteMergeDecision
  ) throws(StoreError) -> RemoteMergeRule {
    if !store.keepsHistory { throw store.lackOfHistory }
    let rules = root.mergeFilter.withLock { filter -> MergeRules in
      if let rules = filter as? MergeRules { return rules }
      let rules = MergeRules()
      filter = rules
      return rules
    }
    let rule = RemoteMergeRule(rules, decide)
    rules.add(rule, before: next)
    return rule
  }
}
