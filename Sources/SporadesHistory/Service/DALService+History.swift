// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
public import SporadesDAL
import SporadesGraph
import SporadesModel
public import SporadesStore

extension DALService {
  // MARK: - Sequences

  /// Returns the transactions after a token, those that are there and those that follow. Without a token, it begins with
  /// the first transaction that is there.
  ///
  /// ```text
  /// for try await transaction in try service.history(after: token) {
  ///   token = token.advanced(to: transaction.token)
  /// }
  /// ```
  public func history(
    after token: PersistentHistoryToken? = nil, where filter: HistoryFilter = HistoryFilter()
  ) throws(DALError) -> HistorySequence {
    try sequence(reader: nil, after: token ?? PersistentHistoryToken(), filter)
  }

  /// Returns the transactions that a named reader has not confirmed, those that are there and those that follow.
  ///
  /// The stores keep the reader's place. One reader of a name may run at a time, in one process.
  public func history(
    for reader: String, from start: HistoryStart = .beginning,
    where filter: HistoryFilter = HistoryFilter()
  ) throws(DALError) -> HistorySequence {
    let reader = HistoryStream.Reader(name: reader, start: start)
    return try sequence(reader: reader, after: PersistentHistoryToken(), filter)
  }

  private func sequence(
    reader: HistoryStream.Reader?, after token: PersistentHistoryToken, _ filter: HistoryFilter
  ) throws(DALError) -> HistorySequence {
    do {
      let stack = try stack(for: .read)
      try requireHistory(of: stack)
      let filter = try PreparedHistoryFilter(filter, stack.model)
      let signal = stack.root.commitSignal
      return HistorySequence { [weak self] in
        HistoryStream(self, signal, filter, reader: reader, after: token)
      }
    } catch { throw reportHere(DALError(error, during: .read)) }
  }

  private func requireHistory(of stack: DataStack) throws(StoreError) {
    if !stack.store.keepsHistory { throw stack.store.lackOfHistory }
  }

  /// Returns the place behind the last transaction of the service's stores; nil if none keeps a history.
  public func currentPersistentHistoryToken() throws(DALError) -> PersistentHistoryToken? {
    do { return try stack(for: .read).currentPersistentHistoryToken() } catch {
      throw reportHere(DALError(error, during: .read))
    }
  }

  /// Calls `body` with each wanted change that follows, on a task of its own, until the observation is cancelled or
  /// released. With a named reader, the changes since its last confirmation come first.
  ///
  /// Observations do not wait for each other. One that is `after` another of the service gets a transaction when the other
  /// is done with it, or has ended.
  ///
  /// ``handleError(_:)`` gets an error that ends the observation.
  public func observeHistory(
    as reader: String? = nil, where filter: HistoryFilter = HistoryFilter(),
    after former: HistoryObservation? = nil,
    _ body: @escaping @Sendable (PersistentHistoryChange) async -> Void
  ) throws(DALError) -> HistoryObservation {
    let sequence: HistorySequence
    if let reader {
      sequence = try history(for: reader, from: .now, where: filter)
    } else {
      sequence = try history(after: currentPersistentHistoryToken(), where: filter)
    }
    return HistoryObservation(of: sequence, after: former, body)
  }

  // MARK: - Other processes

  /// Asks `decide` about each transaction of another process before the service's contexts merge it, one after the other in
  /// their order, until the returned rule is cancelled or released. Rules are asked in the order in which they were
  /// added, or before another one.
  ///
  /// The code runs on a thread of its own and may write. Contexts merge when it has returned; reads and writes do not wait
  /// for it. More than ten thousand changed objects are merged without a question.
  public func addRemoteMergeRule(
    before next: RemoteMergeRule? = nil,
    _ decide: @escaping @Sendable (PersistentHistoryTransaction) -> RemoteMergeDecision
  ) throws(DALError) -> RemoteMergeRule {
    do { return try stack(for: .read).addRemoteMergeRule(before: next, decide) } catch {
      throw reportHere(DALError(error, during: .read))
    }
  }

  // MARK: - Readers and cleaning

  /// Returns the named readers of the service's stores. A reader of several stores is named once for each.
  public func historyReaders() throws(DALError) -> [HistoryReader] {
    try forEachHistory { store throws(StoreError) in try store.historyReaders() }.flatMap(\.self)
  }

  /// Forgets a named reader. Cleanings do not wait for it any more.
  public func removeHistoryReader(named name: String) throws(DALError) {
    _ = try forEachHistory(changesIt: true) { store throws(StoreError) in
      if !store.isReadOnly { try store.removeHistoryReader(named: name) }
    }
  }

  /// Deletes the transactions that every named reader has confirmed, and those outside of the bounds. Returns their
  /// number. Without named readers, only the bounds delete.
  @discardableResult
  public func cleanHistory(
    keeping retention: HistoryRetention = HistoryRetention()
  ) throws(DALError) -> Int {
    try forEachHistory(changesIt: true) { store throws(StoreError) in
      store.isReadOnly ? 0 : try Self.clean(store, retention)
    }.reduce(0, +)
  }

  private static func clean(
    _ store: any HistoryStore, _ retention: HistoryRetention
  ) throws(StoreError) -> Int {
    let confirmed = try store.historyReaders().map(\.number).min() ?? 0
    let ends = try store.historyEnds()
    var end = confirmed
    if let largest = retention.largestCount {
      let (oldest, isBelow) = ends.last.subtractingReportingOverflow(Int64(max(0, largest)))
      if !isBelow { end = max(end, oldest) }
    }
    let (bound, isOver) = end.addingReportingOverflow(1)
    // Deleted transactions need no lock of the file.
    var count = end > ends.deleted && !isOver ? try store.deleteHistory(before: .number(bound)) : 0
    if let age = retention.longestAge {
      let moment = Date(timeIntervalSinceNow: -(age / .seconds(1)))
      count += try store.deleteHistory(before: .date(moment))
    }
    return count
  }

  /// Cleans the history by itself from now on, until the returned cleaning is cancelled or released.
  ///
  /// It deletes what ``cleanHistory(keeping:)`` deletes, behind a commit of this process or another one, at the given pace.
  /// ``handleError(_:)`` gets the error of a cleaning that fails; the next one tries again.
  public func cleanHistoryByItself(
    _ pace: HistoryCleaning.Pace, keeping retention: HistoryRetention = HistoryRetention()
  ) throws(DALError) -> HistoryCleaning {
    do {
      let stack = try stack(for: .read)
      try requireHistory(of: stack)
      return HistoryCleaning(of: self, stack.root.commitSignal, pace, retention)
    } catch { throw reportHere(DALError(error, during: .read)) }
  }

  private func forEachHistory<Output>(
    changesIt: Bool = false, _ body: (any HistoryStore) throws(StoreError) -> Output
  ) throws(DALError) -> [Output] {
    do {
      let stack = try stack(for: .read)
      try requireHistory(of: stack)
      var all: [Output] = []
      for source in stack.store.historySources where source.store.keepsHistory {
        all.append(try changesIt ? source.change(body) : body(source.store.tellingHistory()))
      }
      return all
    } catch { throw reportHere(DALError(error, during: .read)) }
  }
}
