// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore

/// Stands between libpq and the server, counts the messages of both, and cuts a connection where a test asks for it.
///
/// Tests connect to its address, which has a socket of its own. It ends with its last reference.
package final class ServerProxy: Sendable {
  /// Who sends a message.
  package enum Speaker: Sendable, CaseIterable { case client, server }

  /// The end of a connection at one of its messages.
  package struct Cut: Sendable, CustomStringConvertible {
    package let speaker: Speaker
    /// The message, counted from 1 over all connections since the cuts were set.
    package let number: Int
    /// The message still arrives, and the next one does not.
    package let isDelivered: Bool
    /// The server does not hear of the end before ``ServerProxy/forgetServers()``, as where a network is gone.
    package let isHiddenFromServer: Bool

    package init(
      _ speaker: Speaker, _ number: Int, isDelivered: Bool = false,
      isHiddenFromServer: Bool = false
    ) {
      (self.speaker, self.number) = (speaker, number)
      (self.isDelivered, self.isHiddenFromServer) = (isDelivered, isHiddenFromServer)
    }

    package var description: String {
      "\(isDelivered ? "after" : "before") message \(number) of the \(speaker)"
    }
  }

  /// What tests ask for and learn.
  struct Orders: Sendable {
    var cuts: [Cut] = []
    var counts: [Speaker: Int] = [:]
    var isOn = true
    var forgetsServers = false
  }

  private let folder: URL
  private let orders: Guarded<Orders>
  private let waker: Int32

  package init(to server: TestServer) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-proxy-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let orders = Guarded(Orders())
    self.orders = orders
    let listener = try LocalSocket.listening(at: Self.socket(in: folder.path))
    let (ear, waker) = try LocalSocket.pair()
    self.waker = waker
    let target = Self.socket(in: server.folderPath)
    Thread.detachNewThread {
      var loop = ProxyLoop(listener: listener, ear: ear, target: target, orders: orders)
      loop.run()
    }
  }

  deinit {
    change { $0.isOn = false }
    LocalSocket.close(waker)
    // `try?`, because a temporary folder that stays does not affect later tests.
    try? FileManager.default.removeItem(at: folder)
  }

  /// libpq finds a socket by its folder and its port.
  private static func socket(in folder: String) -> String { "\(folder)/.s.PGSQL.5432" }

  package var address: String { "host=\(folder.path) user=postgres dbname=postgres" }

  /// Begins to count, and cuts from now on at these messages.
  package func expect(_ cuts: [Cut] = []) {
    change { ($0.cuts, $0.counts) = (cuts, [:]) }
  }

  /// The number of messages since the cuts were set.
  package func count(of speaker: Speaker) -> Int {
    orders.withLock { $0.counts[speaker] ?? 0 }
  }

  /// The cuts that have not come yet.
  package var cutsLeft: Int { orders.withLock(\.cuts.count) }

  /// Ends the server's halves of connections whose end was hidden from it.
  package func forgetServers() { change { $0.forgetsServers = true } }

  private func change(_ body: (inout Orders) -> Void) {
    orders.withLock(body)
    LocalSocket.send([0], to: waker)
  }
}
