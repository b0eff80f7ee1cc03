// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore

/// A value, and the makers of the changes that led to it.
struct MadeValue<Value: Sendable>: Sendable {
  let value: Value
  /// Nil for the first value.
  let origin: ChangeOrigin?
}

/// One iterator's observation. It makes a value when its consumer asks for one and there is a newer one.
///
/// So a slow consumer gets the newest value, and nothing is made or kept for it meanwhile.
final class ValueStream<Value: Sendable>: FollowingConsumer {
  private struct State {
    var waiting: CheckedContinuation<MadeValue<Value>?, any Error>?
    var isMaking = false
    var isEnded = false
    /// The number of the observer; nil before the first value.
    var number: Int?
    var hasValue = false
  }

  private let state = Guarded(State())
  private let plan: ObservationPlan<Value>
  private let workers: ReadWorkers?
  private weak let service: DALService?
  private weak let hub: FollowingHub?
  /// The error of a service without a store.
  private let failure: DALError?
  private let cancellation = Cancellation()

  // Closures, because code of a generic class makes its key paths anew at each use.
  private var number: Int? { state.withLock { $0.number } }
  private var hasValue: Bool { state.withLock { $0.hasValue } }

  init(_ service: DALService?, _ plan: ObservationPlan<Value>) {
    self.plan = plan
    self.service = service
    workers = service?.readWorkers
    do throws(DALError) {
      hub = try service?.liveHub()
      failure = nil
    } catch {
      hub = nil
      failure = error
    }
  }

  deinit { if let number { hub?.remove(number) } }

  func next() async throws(DALError) -> MadeValue<Value>? {
    if let failure { return try refuse(failure) }
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let waits = state.withLock { state in
            guard !state.isEnded, !Task.isCancelled else { return false }
            trap(
              unless: state.waiting == nil,
              "Two tasks wait for the next value of one iterator. Make an iterator for each.")
            state.waiting = continuation
            return true
          }
          if waits { wake() } else { continuation.resume(returning: nil) }
        }
      } onCancel: {
        end()
      }
    } catch { throw DALError(error, during: .read) }
  }

  /// Throws the error of a service without a store once, and ends then.
  private func refuse(_ failure: DALError) throws(DALError) -> MadeValue<Value>? {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return nil }
    throw service?.reportHere(failure) ?? failure
  }

  // MARK: - FollowingConsumer

  func wake() {
    guard let hub, !hub.isEnded, let workers else { return end() }
    guard number.map(hub.isDirty) ?? true else { return }
    let begins = state.withLock { state in
      guard state.waiting != nil, !state.isMaking, !state.isEnded else { return false }
      state.isMaking = true
      return true
    }
    if begins { workers.run { self.makeNext() } }
  }

  func end() {
    let (waiting, number) = state.withLock { state in
      state.isEnded = true
      defer { (state.waiting, state.number) = (nil, nil) }
      return (state.waiting, state.number)
    }
    cancellation.cancel()
    if let number { hub?.remove(number) }
    waiting?.resume(returning: nil)
  }

  // MARK: - Making

  /// Makes a value on the thread of a worker, and gives it to the waiting consumer.
  private func makeNext() {
    let result = Result { try cancellation.run { try make() } }
    let waiting = state.withLock { state in
      state.isMaking = false
      defer { state.waiting = nil }
      return state.waiting
    }
    switch result {
    case .success(let value?): waiting?.resume(returning: value)
    case .success(nil):
      end()
      waiting?.resume(returning: nil)
    case .failure(let error):
      end()
      waiting?.resume(with: outcome(of: error))
    }
  }

  /// The end of the sequence for a service that was closed or a task that was cancelled; else the error, after its report.
  private func outcome(of error: any Error) -> Result<MadeValue<Value>?, any Error> {
    let error = DALError(error, during: .read)
    switch error.code {
    case .closed, .cancelled: return .success(nil)
    default: return .failure(service?.reportHere(error) ?? error)
    }
  }

  private func make() throws -> MadeValue<Value>? {
    guard let hub else { return nil }
    let number = try register(in: hub)
    var attempts = 0
    while !hub.isEnded, !cancellation.isCancelled {
      guard let number, let ticket = hub.begin(number) else { return nil }
      attempts += 1
      let attempt = ValueAttempt(plan, hub, number, ticket, isFirst: !hasValue)
      guard let value = try attempt.run(mayAskAgain: attempts == 1) else { continue }
      let hadValue = state.withLock { state in
        defer { state.hasValue = true }
        return state.hasValue
      }
      return MadeValue(value: value, origin: hadValue ? ticket.origin : nil)
    }
    return nil
  }

  /// The number of the observer; nil if the observation has ended meanwhile.
  private func register(in hub: FollowingHub) throws -> Int? {
    if let number { return number }
    let requests = try hub.stack.read(from: QueryGeneration(hub.stack.root)) { context in
      try plan.requests.map {
        let (request, question) = try $0.make(context)
        return (
          condition: try FollowedCondition(request, question, in: context, hub.stack.root.scope),
          form: $0.form
        )
      }
    }
    let number = hub.add(self, requests)
    let isKept = state.withLock { state in
      guard !state.isEnded else { return false }
      state.number = number
      return true
    }
    guard isKept else {
      hub.remove(number)
      return nil
    }
    return number
  }
}
