// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// Makes the bytes of the model for a migrated store on another thread, while SQLite changes the tables.
///
/// The model of an app takes milliseconds. A model of few properties takes less time than a thread takes to start, so it is
/// made where its bytes are asked for.
final class ModelArchiving: Sendable {
  private struct State {
    var isClaimed = false
    var result: Result<[UInt8], StoreError>?
  }

  private let model: ManagedObjectModel
  private let state = Guarded(State())
  private let end = DispatchSemaphore(value: 0)

  private static let mostPropertiesAtOnce = 50

  /// Begins as soon as the system has a thread, if that is worth it.
  init(_ model: ManagedObjectModel) {
    self.model = model
    let count = model.entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard count > Self.mostPropertiesAtOnce else { return }
    DispatchQueue.global(qos: .userInitiated).async { [self] in workIfUnclaimed() }
  }

  /// The bytes. Makes them on this thread if no other one has begun, so that a caller never waits for a thread.
  func bytes() throws(StoreError) -> [UInt8] {
    workIfUnclaimed()
    end.wait()
    // The next caller finds the end, too.
    end.signal()
    guard let result = state.withLock({ $0.result }) else {
      preconditionFailure("The end of the work comes after its result; report this to Sporades.")
    }
    return try result.get()
  }

  private func workIfUnclaimed() {
    let isMine = state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
    guard isMine else { return }
    let result = Result { () throws(StoreError) in try CachedModel.bytes(model) }
    state.withLock { $0.result = result }
    end.signal()
  }
}
