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
    let speaker: Speaker
    private let place: Place
    /// The message still arrives, and the next one does not.
    let isDelivered: Bool
    /// The server does not hear of the end before ``ServerProxy/forgetServers()``, as where a network is gone.
    let isHiddenFromServer: Bool

    private enum Place {
      case number(Int)
      case text(String)
    }

    /// A cut at a message, counted from 1 over all connections since the cuts were set.
    package init(
      _ speaker: Speaker, _ number: Int, isDelivered: Bool = false,
      isHiddenFromServer: Bool = false
    ) {
      (self.speaker, place) = (speaker, .number(number))
      (self.isDelivered, self.isHiddenFromServer) = (isDelivered, isHiddenFromServer)
    }

    /// A cut at the first message with a text in it.
    package init(
      _ speaker: Speaker, with text: String, isDelivered: Bool = false,
      isHiddenFromServer: Bool = false
    ) {
      (self.speaker, place) = (speaker, .text(text))
      (self.isDelivered, self.isHiddenFromServer) = (isDelivered, isHiddenFromServer)
    }

    func isAt(_ message: [UInt8], number: Int) -> Bool {
      switch place {
      case .number(let wanted): wanted == number
      case .text(let text): String(decoding: message, as: UTF8.self).contains(text)
      }
    }

    package var description: String {
      "\(isDelivered ? "after" : "before") message \(place) of the \(speaker)"
    }
  }

  /// What the proxy makes of the server's sessions, as poolers do.
  package enum Pooling: Sendable {
    /// Nothing: the server itself answers.
    case none
    /// Each client has a session of its own, under another number.
    case sessions
    /// Clients change their sessions after each transaction.
    case transactions
  }

  /// What tests ask for and learn.
  struct Orders: Sendable {
    var cuts: [Cut] = []
    var counts: [Speaker: Int] = [:]
    var roundTrips = 0
    var isOn = true
    var forgetsServers = false
    var pooling = Pooling.none

    /// Behind this message the client waits for its answers.
    private static let sync: [UInt8] = [UInt8(ascii: "S"), 0, 0, 0, 4]

    /// Counts a message, and returns the cut that is due at it.
    mutating func take(_ message: [UInt8], _ speaker: Speaker) -> Cut? {
      let number = (counts[speaker] ?? 0) + 1
      counts[speaker] = number
      if speaker == .client, message == Self.sync { roundTrips += 1 }
      let place = cuts.firstIndex { $0.speaker == speaker && $0.isAt(message, number: number) }
      return place.map { cuts.remove(at: $0) }
    }
  }

  private let folder: URL
  private let orders: Guarded<Orders>
  private let waker: Int32

  package init(to server: TestServer, pooling: Pooling = .none) throws {
    // Beside the server's, where the name of a socket fits.
    folder = URL(fileURLWithPath: server.folderPath).deletingLastPathComponent()
      .appendingPathComponent("sporades-proxy-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let orders = Guarded(Orders(pooling: pooling))
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

  var folderPath: String { folder.path }

  package var address: String { "host=\(folder.path) user=postgres dbname=postgres" }

  /// Begins to count, and cuts from now on at these messages.
  package func expect(_ cuts: [Cut] = []) {
    change { ($0.cuts, $0.counts, $0.roundTrips) = (cuts, [:], 0) }
  }

  /// The number of messages since the cuts were set.
  package func count(of speaker: Speaker) -> Int {
    orders.withLock { $0.counts[speaker] ?? 0 }
  }

  /// The number of times that the client waited since the cuts were set.
  package var roundTrips: Int { orders.withLock(\.roundTrips) }

  /// The cuts that have not come yet.
  package var cutsLeft: Int { orders.withLock(\.cuts.count) }

  /// Ends the server's halves of connections whose end was hidden from it.
  package func forgetServers() { change { $0.forgetsServers = true } }

  private func change(_ body: (inout Orders) -> Void) {
    orders.withLock(body)
    LocalSocket.send([0], to: waker)
  }
}
