// SPDX-License-Identifier: MIT
import Foundation
package import SporadesModel
package import SporadesPostgreSQL
import SporadesStore

/// A server of PostgreSQL that the tests start in a folder of their own, on a Unix socket, and that ends with them.
package final class TestServer: Sendable {
  /// Nil where the machine has no PostgreSQL.
  package static let shared: TestServer? = programs.flatMap { programs in
    do { return try TestServer(programs) } catch { fatalError("The test server failed: \(error)") }
  }

  package static var isThere: Bool { programs != nil }

  /// Whether suites that are shown on every kind of store are also shown on a server, which takes them minutes.
  package static let isAsked =
    isThere && ProcessInfo.processInfo.environment["SPORADES_EVERY_STORE"] != nil

  /// The folder with `initdb` and `postgres`, the newest one where there are several.
  private static let programs: URL? = {
    let root = URL(fileURLWithPath: "/usr/lib/postgresql")
    // `try?`, because a machine without the folder has no PostgreSQL from packages.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    let newest = versions.compactMap(Int.init).filter { $0 >= 14 }.max()
    let folder = newest.map { root.appendingPathComponent("\($0)/bin") }
    return folder.flatMap {
      FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("initdb").path)
        ? $0 : nil
    }
  }()

  private let folder: URL
  private let process = Process()
  /// The server ends when this closes, also where the tests crash.
  private let life = Pipe()

  private init(_ programs: URL) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-server-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let isRoot = getuid() == 0
    if isRoot { try Self.run("/usr/bin/env", ["chown", "postgres", folder.path]) }
    let script = """
      set -e
      cd \(folder.path)
      \(programs.path)/initdb -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >initdb.log 2>&1
      \(programs.path)/postgres -D data -k \(folder.path) -c listen_addresses= -c fsync=off -c max_connections=400 \
        >server.log 2>&1 </dev/null &
      set +e
      read line
      kill -QUIT $!
      wait
      cd /
      rm -rf \(folder.path)
      """
    // PostgreSQL refuses to run as root.
    process.executableURL = URL(fileURLWithPath: isRoot ? "/usr/bin/env" : "/bin/sh")
    process.arguments =
      (isRoot ? ["runuser", "-u", "postgres", "--", "/bin/sh"] : []) + ["-c", script]
    process.standardInput = life
    try process.run()
    try waitUntilItAnswers(programs)
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
  }

  private func waitUntilItAnswers(_ programs: URL) throws {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline, process.isRunning {
      let ask = Process()
      ask.executableURL = programs.appendingPathComponent("pg_isready")
      ask.arguments = ["-q", "-h", folder.path]
      try ask.run()
      ask.waitUntilExit()
      if ask.terminationStatus == 0 { return }
      usleep(20_000)
    }
    // `try?`, because the message says enough without the log.
    let log = try? String(contentsOf: folder.appendingPathComponent("server.log"), encoding: .utf8)
    throw StoreError(.io, "No server answers in \(folder.path). \(log ?? "")")
  }

  package var address: String { "host=\(folder.path) user=postgres dbname=postgres" }

  /// The settings of a store that no other test has.
  static func options() -> PostgreSQLStoreOptions {
    PostgreSQLStoreOptions(
      schema: "test_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "_"))
  }
}

/// A store of its own on the test server.
package struct TestStore {
  package let options = TestServer.options()
  package let server: TestServer

  package init() throws {
    guard let server = TestServer.shared else {
      throw StoreError(.io, "There is no PostgreSQL on this machine.")
    }
    self.server = server
  }

  package func open(_ model: ManagedObjectModel) throws -> PostgreSQLStore {
    try PostgreSQLStore(server.address, model: model, options: options)
  }
}
