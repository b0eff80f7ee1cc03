// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesDAL
import SporadesGraph
import SporadesModel
import SporadesStore

/// The place of one iterator in the histories of a service's stores.
final class HistoryStream: Sendable {
  /// A named reader, and where it begins if no store knows it.
  struct Reader: Sendable {
    let name: String
    let start: HistoryStart
  }

  private struct State {
    /// The place behind everything that was read.
    var token: PersistentHistoryToken
    /// The transactions that were read and not told yet, the next one last.
    var waiting: [PersistentHistoryTransaction] = []
    /// The numbers of the last told transactions, by the identifiers of their stores.
    var unconfirmed: [String: Int64] = [:]
  }

  private enum Step: Sendable {
    case found(PersistentHistoryTransaction)
    /// Nothing is left to read.
    case atEnd
    /// The service is closed or gone.
    case ended
  }

  private let state: Guarded<State>
  /// The transactions that the consumer is done with.
  let progress = HistoryProgress()
  private let reader: Reader?
  private let filter: PreparedHistoryFilter
  private let signal: CommitSignal
  private weak let service: DALService?
  /// The number of changes that are read at once.
  private static let limit = 1_000

  init(
    _ service: DALService?, _ signal: CommitSignal, _ filter: PreparedHistoryFilter,
    reader: Reader?, after token: PersistentHistoryToken
  ) {
    self.service = service
    self.signal = signal
    self.filter = filter
    self.reader = reader
    state = Guarded(State(token: token))
  }

  /// Waits for the next transaction. Nil after the end of the service, and if the task is cancelled.
  func next() async throws(DALError) -> PersistentHistoryTransaction? {
    while !Task.isCancelled {
      // The number is read before the history, so that a commit in between is not waited for.
      let known = signal.commits
      switch try await advance() {
      case .found(let transaction): return transaction
      case .atEnd: guard await signal.wait(beyond: known) != nil else { return nil }
      case .ended: return nil
      }
    }
    return nil
  }

  /// Takes a step on a thread that may wait for the store.
  private func advance() async throws(DALError) -> Step {
    guard let workers = service?.readWorkers else { return .ended }
    // The step crosses in a lock: where the worker is done before the task waits, a continuation alone shows
    // the thread sanitizer no order between the two.
    let result = Guarded(Result<Step, DALError>.success(.ended))
    await withCheckedContinuation { continuation in
      workers.run {
        let step = Result { () throws(DALError) in try self.step() }
        result.withLock { $0 = step }
        continuation.resume()
      }
    }
    return try result.withLock(\.self).get()
  }

  /// Confirms what was told, and takes the next transaction.
  private func step() throws(DALError) -> Step {
    guard let service, let stack = service.openStack else { return .ended }
    let sources = stack.store.historySources.filter(\.store.keepsHistory)
    do throws(StoreError) {
      return try state.withLock { state throws(StoreError) in
        try confirm(&state, sources)
        return try take(&state, sources)
      }
    } catch  where error.code == .closed {
      return .ended
    } catch {
      throw service.reportHere(DALError(.store(error), during: .read))
    }
  }

  private func take(_ state: inout State, _ sources: [HistorySource]) throws(StoreError) -> Step {
    // The connection still shows the former file, where nobody else commits any more.
    for source in sources {
      if let error = (source.store as? any SharedStore)?.lostPlace { throw error }
    }
    while true {
      if state.waiting.isEmpty { try read(&state, sources) }
      guard let next = state.waiting.popLast() else {
        // Transactions that were left out need nobody's work.
        try confirm(&state, sources)
        return .atEnd
      }
      state.unconfirmed[next.storeID] = next.transactionNumber
      if let part = filter.part(of: next) { return .found(part) }
    }
  }

  // MARK: - Reading

  private func read(_ state: inout State, _ sources: [HistorySource]) throws(StoreError) {
    var parts: [ArraySlice<PersistentHistoryTransaction>] = []
    try state.token.requireStore(among: sources)
    for source in sources {
      let identifier = source.store.identifier
      if let reader, state.token[identifier] == nil {
        state.token[identifier] = try begin(reader, source.store.tellingHistory())
      }
      let range = HistoryRange(after: state.token[identifier], limit: Self.limit)
      let part = try history(range, of: source)
      // All that came before was told.
      if let number = state.token[identifier] { progress.note(number, of: identifier) }
      guard let last = part.last else { continue }
      state.token[identifier] = last.transactionNumber
      parts.append(part[...])
    }
    state.waiting = Self.merged(parts).reversed()
  }

  private func history(
    _ range: HistoryRange, of source: HistorySource
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    do throws(StoreError) { return try source.history(range) } catch {
      // The advice of the store is about tokens, which a named reader does not have.
      guard let reader, error.code == .historyExpired else { throw error }
      throw StoreError(
        .historyExpired,
        "Transactions that the reader \(reader.name) has not seen are gone from the history of the store \(source.store.placeText). "
          + "Read the objects anew, and let the reader begin anew: removeHistoryReader(named: \"\(reader.name)\").",
        underlying: error)
    }
  }

  /// The transactions of several stores by their moments. Those of one store stay in their order.
  private static func merged(
    _ parts: [ArraySlice<PersistentHistoryTransaction>]
  ) -> [PersistentHistoryTransaction] {
    guard parts.count > 1 else { return Array(parts.first ?? []) }
    var parts = parts
    var all: [PersistentHistoryTransaction] = []
    while let earliest = parts.indices.filter({ !parts[$0].isEmpty }).min(by: {
      (parts[$0].first?.timestamp ?? .distantFuture)
        < (parts[$1].first?.timestamp ?? .distantFuture)
    }) { all.append(parts[earliest].removeFirst()) }
    return all
  }

  // MARK: - Named readers

  /// The place of the reader in a store. A store that does not know the reader gets to know it, so that nobody deletes
  /// what it has not read.
  private func begin(_ reader: Reader, _ store: any HistoryStore) throws(StoreError) -> Int64 {
    if let known = try store.historyReaders().first(where: { $0.name == reader.name }) {
      return known.number
    }
    let ends = try store.historyEnds()
    let number = reader.start == .beginning ? ends.deleted : ends.last
    if !store.isReadOnly {
      try store.confirmHistory(
        HistoryReader(name: reader.name, number: number, confirmedAt: Date()))
    }
    return number
  }

  private func confirm(_ state: inout State, _ sources: [HistorySource]) throws(StoreError) {
    defer { state.unconfirmed = [:] }
    for (store, number) in state.unconfirmed { progress.note(number, of: store) }
    guard let reader else { return }
    for source in sources where !source.store.isReadOnly {
      guard let number = state.unconfirmed[source.store.identifier] else { continue }
      try source.store.tellingHistory().confirmHistory(
        HistoryReader(name: reader.name, number: number, confirmedAt: Date()))
    }
  }
}
