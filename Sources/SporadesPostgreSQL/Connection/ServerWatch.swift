// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Notices the commits of other writers, by the sum of the numbers of their writes.
///
/// It asks again and again, because a notice from the server would cost each commit more than the questions cost it.
final class ServerWatch: Sendable {
  private let distance: DispatchTimeInterval
  private let connections: ServerPool
  private let client: UUID
  private let committed: @Sendable () -> Void
  private let queue: DispatchQueue
  private let question: String
  /// The sum at the last look; nil before the first.
  private let sum = Guarded<Int64?>(nil)
  /// A look has failed before the first that succeeded, so that nobody knows what was committed since.
  private let hasMissed = Guarded(false)
  private let isOn = Guarded(true)
  /// Hears of commits before the next look; nil unless the options ask for that.
  private let ear = Guarded<ServerEar?>(nil)

  init(
    _ distance: Duration, _ connections: ServerPool, _ source: ServerSource,
    committed: @escaping @Sendable () -> Void
  ) {
    self.distance = .microseconds(max(1_000, Int(clamping: Int64(distance / .microseconds(1)))))
    self.connections = connections
    client = source.promises.client
    queue = connections.connections.looks
    let schema = PostgreSQLDialect().quoted(source.options.schema)
    question =
      "SELECT coalesce(sum(last_write), 0)::bigint FROM \(schema).\(ServerLayout.clients) WHERE id <> $1"
    self.committed = committed
  }

  /// Rows that are read from now on may be older than the next commit, so the first sum is asked at once.
  func begin(hearing source: ServerSource? = nil) {
    look()
    plan()
    guard let source else { return }
    let ear = ServerEar(source) { [weak self] in self?.hear() }
    self.ear.withLock { $0 = ear }
    ear.begin()
  }

  func end() {
    isOn.withLock { $0 = false }
    ear.withLock(\.self)?.end()
  }

  private func hear() {
    queue.async { [weak self] in
      guard let self, isOn.withLock(\.self) else { return }
      look()
    }
  }

  private func plan() {
    queue.asyncAfter(deadline: .now() + distance) { [weak self] in
      guard let self, isOn.withLock(\.self) else { return }
      look()
      plan()
    }
  }

  private func look() {
    // `try?`, because the next look finds what came since.
    guard let found = try? connections.readAsGuest(othersSum) else {
      return hasMissed.withLock { $0 = true }
    }
    let isNew = sum.withLock { known in
      defer { known = found }
      return known.map { $0 != found } ?? hasMissed.withLock(\.self)
    }
    if isNew { committed() }
  }

  private func othersSum(_ connection: ServerConnection) throws(StoreError) -> Int64? {
    try connection.run(question, [.uuid(client.bytes)]).integer(0, 0)
  }
}
