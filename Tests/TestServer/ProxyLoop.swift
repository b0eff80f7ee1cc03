// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// The thread of a proxy: takes connections, and passes messages on.
struct ProxyLoop {
  let listener: Int32
  /// Readable when the orders have changed, or the proxy has ended.
  let ear: Int32
  /// The server's socket.
  let target: String
  let orders: Guarded<ServerProxy.Orders>
  private var lines: [Line] = []
  /// The server's halves of connections whose end was hidden from it.
  private var hidden: [Int32] = []

  init(listener: Int32, ear: Int32, target: String, orders: Guarded<ServerProxy.Orders>) {
    (self.listener, self.ear, self.target, self.orders) = (listener, ear, target, orders)
  }

  /// One direction of a connection.
  private struct Way {
    var source: Int32
    var destination: Int32
    var stream: MessageStream
    /// Whole messages that the destination has not taken yet.
    var passed: [UInt8] = []

    /// False if the destination takes nothing more.
    mutating func push() -> Bool {
      guard !passed.isEmpty else { return true }
      guard let count = LocalSocket.send(passed, to: destination) else {
        passed = []
        return false
      }
      passed.removeFirst(count)
      return true
    }
  }

  /// A connection, which ends when both ways have passed on what they hold.
  private struct Line {
    var toServer: Way
    var toClient: Way
    var isEnding = false
    var isHiddenFromServer = false
    /// The server has ended a transaction, and the client has asked for nothing since.
    var isIdle = false

    init(client: Int32, server: Int32) {
      toServer = Way(source: client, destination: server, stream: .ofClient())
      toClient = Way(source: server, destination: client, stream: .ofServer())
    }

    static func way(from speaker: ServerProxy.Speaker) -> WritableKeyPath<Line, Way> {
      speaker == .client ? \.toServer : \.toClient
    }

    var hasPassedAll: Bool { toServer.passed.isEmpty && toClient.passed.isEmpty }

    mutating func use(_ server: Int32) {
      toServer.destination = server
      toClient.source = server
    }
  }

  mutating func run() {
    while orders.withLock(\.isOn) { turn() }
    for line in lines { end(line) }
    for number in hidden + [listener, ear] { LocalSocket.close(number) }
  }

  private mutating func turn() {
    var polled = [listener, ear].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    for line in lines {
      // Each side is watched for what it sends, and for room for what the other one has sent.
      for (way, back) in [(line.toServer, line.toClient), (line.toClient, line.toServer)] {
        let events = (line.isEnding ? 0 : POLLIN) | (back.passed.isEmpty ? 0 : POLLOUT)
        polled.append(pollfd(fd: way.source, events: Int16(events), revents: 0))
      }
    }
    guard unsafe poll(&polled, UInt(polled.count), -1) > 0 else { return }
    let isReady = polled.map { $0.revents != 0 }
    if isReady[1] { _ = LocalSocket.receive(from: ear) }
    for place in lines.indices {
      serve(&lines[place], client: isReady[2 + place * 2], server: isReady[3 + place * 2])
    }
    settle()
    if orders.withLock(\.pooling) == .transactions { exchangeSessions() }
    if isReady[0] { take() }
  }

  private mutating func take() {
    guard let client = LocalSocket.accept(listener) else { return }
    // `try?`, because a client of a server that is gone is told so by its end.
    guard let server = try? LocalSocket.connected(to: target) else {
      return LocalSocket.close(client)
    }
    lines.append(Line(client: client, server: server))
  }

  private func serve(_ line: inout Line, client: Bool, server: Bool) {
    for (speaker, isReady) in [(ServerProxy.Speaker.client, client), (.server, server)] {
      let way = Line.way(from: speaker)
      var wanted = pollfd(fd: line[keyPath: way].source, events: Int16(POLLIN), revents: 0)
      // A side may have had room only.
      guard isReady, !line.isEnding, unsafe poll(&wanted, 1, 0) > 0 else { continue }
      guard let bytes = LocalSocket.receive(from: line[keyPath: way].source) else {
        line.isEnding = true
        continue
      }
      line[keyPath: way].stream.append(bytes)
      pass(&line, speaker)
    }
  }

  /// Passes on whole messages, up to one at which the connection is cut.
  private func pass(_ line: inout Line, _ speaker: ServerProxy.Speaker) {
    let way = Line.way(from: speaker)
    while !line.isEnding, let next = line[keyPath: way].stream.next() {
      if next.beginning == .encryption { line.toClient.stream.expectByte() }
      let (cut, pooling) = orders.withLock { ($0.take(next.message, speaker), $0.pooling) }
      if cut == nil || cut?.isDelivered == true {
        let message = pooling == .none ? next.message : Self.pooled(next.message, speaker)
        line[keyPath: way].passed += message
      }
      line.isIdle = next.message == Self.idle
      if let cut {
        line.isEnding = true
        line.isHiddenFromServer = cut.isHiddenFromServer
      }
    }
  }

  /// `ReadyForQuery` outside of a transaction.
  private static let idle: [UInt8] = [90, 0, 0, 0, 5, 73]

  /// `BackendKeyData` of a pooler has another number of a process.
  private static func pooled(_ message: [UInt8], _ speaker: ServerProxy.Speaker) -> [UInt8] {
    guard speaker == .server, message.first == 75, message.count == 13 else { return message }
    var message = message
    message[5] ^= 0x40
    return message
  }

  /// Gives each idle client the session of another one.
  private mutating func exchangeSessions() {
    let idle = lines.indices.filter { lines[$0].isIdle }
    guard idle.count > 1 else { return }
    let servers = idle.map { lines[$0].toClient.source }
    for (place, server) in zip(idle, servers.dropFirst() + servers.prefix(1)) {
      lines[place].use(server)
    }
  }

  /// Sends what the ways hold, and removes the connections that have ended.
  private mutating func settle() {
    var rest: [Line] = []
    for var line in lines {
      let (server, client) = (line.toServer.push(), line.toClient.push())
      if !server || !client { line.isEnding = true }
      if line.isEnding, line.hasPassedAll {
        if line.isHiddenFromServer { hidden.append(line.toClient.source) }
        end(line)
      } else {
        rest.append(line)
      }
    }
    lines = rest
    let forgets = orders.withLock { orders in
      defer { orders.forgetsServers = false }
      return orders.forgetsServers
    }
    if forgets {
      for number in hidden { LocalSocket.close(number) }
      hidden = []
    }
  }

  private func end(_ line: Line) {
    LocalSocket.close(line.toServer.source)
    if !line.isHiddenFromServer { LocalSocket.close(line.toClient.source) }
  }
}
