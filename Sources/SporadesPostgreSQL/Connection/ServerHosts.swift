// SPDX-License-Identifier: MIT
import CPostgreSQL
import SporadesModel
import SporadesStore

/// The servers that an address names. One at a time is the primary.
///
/// The store goes from one to the next itself, since libpq would wait for the first one until the time for all is over.
final class ServerHosts: Sendable {
  private let state: Guarded<State>

  private struct State {
    var all: [ServerAddress]
    /// The server that was the primary last.
    var primary = 0
  }

  init(_ address: ServerAddress) { state = Guarded(State(all: address.servers())) }

  var all: [ServerAddress] { state.withLock(\.all) }

  /// Learns the servers that a service file or the environment names.
  func learn(from connection: ServerConnection, _ address: ServerAddress) {
    state.withLock { state in
      guard state.all.count == 1 else { return }
      state.all = address.servers(or: connection.servers)
    }
  }

  /// Returns what the first server answers that serves, beginning with the last primary. Each has its share of the time.
  func first<Output>(
    until deadline: ContinuousClock.Instant,
    _ attempt: (ServerAddress, ContinuousClock.Instant) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let (all, first) = state.withLock { ($0.all, $0.primary) }
    var failure: StoreError?
    for turn in all.indices {
      let place = (first + turn) % all.count
      let share = ContinuousClock.now.duration(to: deadline) / (all.count - turn)
      do throws(StoreError) {
        let output = try attempt(all[place], .now + share)
        state.withLock { $0.primary = place < $0.all.count ? place : 0 }
        return output
      } catch {
        try Cancellation.check()
        // Only a primary says so.
        if error.code == .behind { throw error }
        // What may pass is waited for, whatever the others say.
        if failure == nil || error.isRetryable { failure = error }
      }
    }
    guard let failure else { preconditionFailure("An address without a server was taken.") }
    throw failure
  }
}

extension ServerAddress {
  /// The place of one of several servers.
  typealias Server = (host: String, address: String, port: String)

  /// The ways to the single servers, which the address names itself, or which libpq found where it names none.
  func servers(or found: [Server] = []) -> [ServerAddress] {
    let values = Dictionary(options.map { ($0.keyword, $0.value) }, uniquingKeysWith: { $1 })
    let named = Self.servers(
      hosts: values["host"] ?? "", addresses: values["hostaddr"] ?? "", ports: values["port"] ?? "")
    let servers = named.count > 1 ? named : found
    guard servers.count > 1 else { return [self] }
    return servers.map(alone)
  }

  /// Takes the lists of a connection string apart. One port serves for all.
  static func servers(hosts: String, addresses: String, ports: String) -> [Server] {
    func parts(_ list: String) -> [String] {
      list.isEmpty
        ? [] : list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (hosts, addresses, ports) = (parts(hosts), parts(addresses), parts(ports))
    return (0..<max(hosts.count, addresses.count)).map { place in
      func part(_ list: [String]) -> String { list.indices.contains(place) ? list[place] : "" }
      return (part(hosts), part(addresses), ports.count == 1 ? ports[0] : part(ports))
    }
  }

  private func alone(_ server: Server) -> ServerAddress {
    let parts = [("host", server.host), ("hostaddr", server.address), ("port", server.port)]
    // The store asks each server itself whether it is the primary.
    let replaced = parts.map(\.0) + ["target_session_attrs"]
    let others = options.filter { !replaced.contains($0.keyword) }
    let shown = parts.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1)" }
    return ServerAddress(
      options: others + parts.filter { !$0.1.isEmpty }.map { (keyword: $0.0, value: $0.1) },
      place: (shown
        + others.filter { ["dbname", "user"].contains($0.keyword) }
        .map { "\($0.keyword)=\($0.value)" }).joined(separator: " "))
  }
}

extension ServerConnection {
  /// The servers of which libpq took one, wherever they were named.
  var servers: [ServerAddress.Server] {
    guard let info = unsafe PQconninfo(handle) else { return [] }
    defer { unsafe PQconninfoFree(info) }
    var values: [String: String] = [:]
    var next = unsafe info
    while let keyword = unsafe next.pointee.keyword {
      unsafe values[String(cString: keyword)] = unsafe next.pointee.val.map {
        unsafe String(cString: $0)
      }
      unsafe next += 1
    }
    return ServerAddress.servers(
      hosts: values["host"] ?? "", addresses: values["hostaddr"] ?? "", ports: values["port"] ?? "")
  }
}
