// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A state of a database in memory, which has one connection.
///
/// The state is read on that connection as long as nothing changes there. The first change copies the database
/// for all states that are still in use.
final class LiveState: Sendable {
  private enum Place {
    case writer
    case copy(KeptState)
    case lost(StoreError)
  }
  private let place = Guarded(Place.writer)
  private let writer: LockedWriter

  init(_ writer: LockedWriter) { self.writer = writer }

  /// A state that has its copy from the beginning.
  init(_ copy: KeptState, of writer: LockedWriter) {
    self.writer = writer
    place.withLock { $0 = .copy(copy) }
  }

  func read(
    checking check: () throws(StoreError) -> Void,
    _ body: (Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let copy = try copy() { return try copy.read(body) }
    let hasAnswered = try writer.state.withLock { (writer) throws(StoreError) in
      // The copy is made while the writer is locked, so the second question has the last answer.
      guard try copy() == nil else { return false }
      try check()
      writer.connection.limit.renew()
      try body(writer.connection)
      return true
    }
    if hasAnswered { return }
    guard let copy = try copy() else {
      preconditionFailure("A state in memory that left the writer's connection has a copy.")
    }
    return try copy.read(body)
  }

  private func copy() throws(StoreError) -> KeptState? {
    try place.withLock { (place) throws(StoreError) in
      switch place {
      case .writer: return nil
      case .copy(let copy): return copy
      case .lost(let error): throw error
      }
    }
  }

  fileprivate func move(to copy: Result<KeptState, StoreError>) {
    place.withLock { place in
      switch copy {
      case .success(let copy): place = .copy(copy)
      case .failure(let error): place = .lost(error)
      }
    }
  }
}

/// The states of a database in memory that are read on the writer's connection.
final class LiveStates: Sendable {
  private struct WeakState {
    weak let state: LiveState?
  }
  private let states = Guarded<[WeakState]>([])
  private let open: @Sendable () throws(StoreError) -> Connection

  init(open: @escaping @Sendable () throws(StoreError) -> Connection) { self.open = open }

  /// Keeps the committed state. The writer is locked by the caller.
  func keep(_ writer: inout Writer, _ owner: LockedWriter) throws(StoreError) -> LiveState {
    guard !writer.hasAccepted else {
      var copy = Answer<KeptState>()
      try writer.withCommittedState { (own) throws(StoreError) in copy.take(try copied(own)) }
      return LiveState(copy.get(), of: owner)
    }
    let state = LiveState(owner)
    states.withLock { states in
      states.removeAll { $0.state == nil }
      states.append(WeakState(state: state))
    }
    return state
  }

  /// Gives the states in use a copy, before the connection changes. A copy that fails loses these states and
  /// not the change.
  func move(from connection: Connection) {
    let inUse = states.withLock { states in
      defer { states = [] }
      return states.compactMap(\.state)
    }
    guard !inUse.isEmpty else { return }
    let copy = Result { () throws(StoreError) in try copied(connection) }
    for state in inUse { state.move(to: copy) }
  }

  private func copied(_ connection: Connection) throws(StoreError) -> KeptState {
    let copy = try open()
    try connection.copy(to: copy)
    return try KeptState(ReadTransaction(copy, nil, nil))
  }
}
