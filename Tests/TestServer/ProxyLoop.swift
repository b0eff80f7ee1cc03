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
    let source: Int32
    let destination: Int32
    var stream: MessageStream
    /// Whole messages that the destination has not taken yet.
    var passed: [UInt8] = []

    /// False if the destination takes nothing more.
    mutating func push() -> Bool {
      guard !passed.isEmpty else { return true }
      guard let count = LocalSocket.send(passed, to: destination) else { return false }
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

    init(client: Int32, server: Int32) {
      toServer = Way(source: client, destination: server, stream: .ofClient())
      toClient = Way(source: server, destination: client, stream: .ofServer())
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
      for way in [line.toServer, line.toClient] {
        // A source is watched for what it sends, and for room for what the other one has sent.
        let back = way.source == line.toServer.source ? line.toClient : line.toServer
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
    guard !line.isEnding else { return }
    for (speaker, isReady) in [(ServerProxy.Speaker.client, client), (.server, server)] {
      guard isReady, !line.isEnding else { continue }
      let source = speaker == .client ? line.toServer.source : line.toClient.source
      let room = speaker == .client ? line.toClient.passed : line.toServer.passed
      var wanted = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
      // The other way may have had room only.
      guard unsafe room.isEmpty || poll(&wanted, 1, 0) > 0 else { continue }
      guard let bytes = LocalSocket.receive(from: source) else {
        line.isEnding = true
        continue
      }
      if speaker == .client {
        line.toServer.stream.append(bytes)
      } else {
        line.toClient.stream.append(bytes)
      }
      pass(&line, speaker)
    }
  }

  /// Passes on whole messages, up to one at which the connection is cut.
  private func pass(_ line: inout Line, _ speaker: ServerProxy.Speaker) {
    while !line.isEnding {
      let next = speaker == .client ? line.toServer.stream.next() : line.toClient.stream.next()
      guard let (message, beginning) = next else { return }
      if beginning == .encryption { line.toClient.stream.expectByte() }
      let cut = orders.withLock { orders -> ServerProxy.Cut? in
        let number = (orders.counts[speaker] ?? 0) + 1
        orders.counts[speaker] = number
        let place = orders.cuts.firstIndex { $0.speaker == speaker && $0.number == number }
        return place.map { orders.cuts.remove(at: $0) }
      }
      if cut == nil || cut?.isDelivered == true {
        if speaker == .client {
          line.toServer.passed += message
        } else {
          line.toClient.passed += message
        }
      }
      if let cut {
        line.isEnding = true
        line.isHiddenFromServer = cut.isHiddenFromServer
      }
    }
  }

  /// Sends what the ways hold, and removes the connections that have ended.
  private mutating func settle() {
    for place in lines.indices {
      if !lines[place].toServer.push() {
        lines[place].toServer.passed = []
        lines[place].isEnding = true
      }
      if !lines[place].toClient.push() {
        lines[place].toClient.passed = []
        lines[place].isEnding = true
      }
    }
    var rest: [Line] = []
    for line in lines {
      if line.isEnding, line.toServer.passed.isEmpty, line.toClient.passed.isEmpty {
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
