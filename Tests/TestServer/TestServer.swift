// SPDX-License-Identifier: MIT
import Foundation
package import SporadesModel
package import SporadesPostgreSQL
import SporadesStore

/// A server of PostgreSQL that the tests start in a folder of their own, on a Unix socket, and that ends with them.
package final class TestServer: Sendable {
  /// What went wrong is thrown in each test that asks for the server, since a crash would end all others with it.
  package static let shared = Result {
    guard let programs else { throw StoreError(.io, "There is no PostgreSQL on this machine.") }
    return try TestServer(programs)
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
  private let programs: URL
  private let process = Process()
  /// Carries orders to start and to kill the server, which ends when it closes, also where the tests crash.
  private let orders = Pipe()

  /// The address of this machine at which the server listens besides its socket; empty for none.
  package let host: String

  private static let new = "initdb -D data -U postgres -A trust -E UTF8 --locale=C --no-sync"

  /// `preparation` makes the folder `data`.
  private init(_ programs: URL, _ preparation: String = new, at host: String = "") throws {
    self.programs = programs
    self.host = host
    let isRoot = getuid() == 0
    folder = try Self.makeFolder(for: isRoot ? "postgres" : nil)
    let script = """
      set -e
      cd \(folder.path)
      PATH=\(programs.path):$PATH
      { \(preparation); } >preparation.log 2>&1
      start() {
        postgres -D data -k \(folder.path) -c listen_addresses=\(host) -c fsync=off -c max_connections=400 \
          -c wal_retrieve_retry_interval=200ms >>server.log 2>&1 </dev/null &
        server=$!
      }
      start
      set +e
      while read order; do
        case $order in
          start) start ;;
          kill) kill -KILL $server $(cat /proc/$server/task/$server/children); wait $server ;;
        esac
      done
      kill -QUIT $server
      wait
      cd /
      rm -rf \(folder.path)
      """
    // PostgreSQL refuses to run as root.
    process.executableURL = URL(fileURLWithPath: isRoot ? "/usr/bin/env" : "/bin/sh")
    process.arguments =
      (isRoot ? ["runuser", "-u", "postgres", "--", "/bin/sh"] : []) + ["-c", script]
    process.standardInput = orders
    try process.run()
    try wait(untilItAnswers: true)
  }

  /// A server for a test that kills it.
  package static func primary() throws -> TestServer {
    guard let programs else { throw StoreError(.io, "There is no PostgreSQL on this machine.") }
    return try TestServer(programs)
  }

  /// A server that encrypts connections to `localhost`, and asks for the password of the role `app`.
  package static func encrypting() throws -> TestServer {
    guard let programs else { throw StoreError(.io, "There is no PostgreSQL on this machine.") }
    // Nobody else listens at such an address of this machine.
    let host = "127.\((1...3).map { _ in String(Int.random(in: 1...254)) }.joined(separator: "."))"
    let certificate =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    let server = try TestServer(
      programs,
      """
      \(new); \(certificate) -keyout server.key -out server.crt; \(certificate) -keyout other.key -out other.crt
      chmod 600 server.key
      printf "ssl = on\\nssl_cert_file = '$PWD/server.crt'\\nssl_key_file = '$PWD/server.key'\\n" >>data/postgresql.conf
      sed -i '1i host all app 127.0.0.0/8 scram-sha-256' data/pg_hba.conf
      """, at: host)
    _ = try server.answer(to: "CREATE ROLE app LOGIN PASSWORD 'secret word'")
    _ = try server.answer(to: "GRANT CREATE ON DATABASE postgres TO app")
    return server
  }

  /// The certificate of an encrypting server, or another one of its name.
  package func certificate(isOther: Bool = false) -> String {
    folder.appendingPathComponent(isOther ? "other.crt" : "server.crt").path
  }

  /// A new standby of this server.
  package func standby() throws -> TestServer {
    try TestServer(
      programs,
      "pg_basebackup -D data -h \(folder.path) -U postgres -R -X stream -c fast --no-sync")
  }

  /// Kills all processes of the server at once.
  package func kill() throws {
    try orders.fileHandleForWriting.write(contentsOf: Data("kill\n".utf8))
    try wait(untilItAnswers: false)
  }

  /// Starts the server again after it was killed.
  package func start() throws {
    try orders.fileHandleForWriting.write(contentsOf: Data("start\n".utf8))
    try wait(untilItAnswers: true)
  }

  /// A new folder for the server's files and its socket. A user who is not the one of the tests may not get to the usual
  /// place for temporary files, which is then one of the tests' user alone.
  private static func makeFolder(for user: String?) throws -> URL {
    let usual = FileManager.default.temporaryDirectory.path
    for place in [usual, "/tmp", "/var/tmp", "/dev/shm"] {
      let folder = URL(fileURLWithPath: place)
        .appendingPathComponent("sporades-server-\(UUID().uuidString.prefix(8))")
      // The name of a socket has 107 bytes at most.
      guard folder.path.utf8.count <= 85 else { continue }
      // The server's user removes the folder, too, and so has to own it.
      let asUser = user.map { ["runuser", "-u", $0, "--"] } ?? []
      if try run("/usr/bin/env", asUser + ["mkdir", folder.path]) == 0 { return folder }
    }
    throw StoreError(
      .io,
      "\(user ?? "The user of the tests") can write to none of \(usual), /tmp, /var/tmp, /dev/shm."
    )
  }

  /// Returns the program's exit code.
  private static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func wait(untilItAnswers isAwaited: Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline, process.isRunning {
      let ask = programs.appendingPathComponent("pg_isready").path
      if try (Self.run(ask, ["-q", "-h", folder.path]) == 0) == isAwaited { return }
      usleep(20_000)
    }
    // `try?`, because either log may not have been begun.
    let logs = ["preparation.log", "server.log"].compactMap {
      try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
    throw StoreError(
      .io,
      "The server in \(folder.path) \(isAwaited ? "does not answer" : "goes on answering"). "
        + logs.joined(separator: "\n"))
  }

  var folderPath: String { folder.path }

  /// What `psql` prints for a statement, line by line.
  package func answer(to sql: String, inSchema schema: String = "public") throws -> [String] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = programs.appendingPathComponent("psql")
    process.arguments = [
      "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", folder.path, "-U", "postgres", "-d", "postgres", "-c",
      sql,
    ]
    process.environment = ["PGOPTIONS": "-c search_path=\(schema)"]
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw StoreError(.io, "psql refused \(sql)") }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  package var address: String { Self.address(of: [self]) }

  /// The address of several servers.
  package static func address(of servers: [TestServer]) -> String {
    "host=\(servers.map(\.folder.path).joined(separator: ",")) user=postgres dbname=postgres"
  }

  /// The address of a proxy, and of servers that may take the place of the one behind it.
  package static func address(of servers: [TestServer], behind proxy: ServerProxy) -> String {
    "host=\(([proxy.folderPath] + servers.map(\.folder.path)).joined(separator: ",")) user=postgres dbname=postgres"
  }

  /// Writes a schema with all that is in it to a file, as an administrator keeps a copy.
  package func dump(schema: String, to path: String) throws {
    try administrate("pg_dump", ["-n", schema, "-f", path])
  }

  /// Replaces a schema by the one in a file.
  package func restore(schema: String, from path: String) throws {
    try administrate("psql", ["-Xq", "-c", "DROP SCHEMA \(schema) CASCADE"])
    try administrate("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", path])
  }

  private func administrate(_ program: String, _ arguments: [String]) throws {
    let code = try Self.run(
      programs.appendingPathComponent(program).path,
      ["-h", folder.path, "-U", "postgres", "-d", "postgres"] + arguments)
    guard code == 0 else { throw StoreError(.io, "\(program) ended with \(code)") }
  }

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
    server = try TestServer.shared.get()
  }

  package func open(
    _ model: ManagedObjectModel, _ migration: MigrationOptions = MigrationOptions(),
    _ change: (inout PostgreSQLStoreOptions) -> Void = { _ in }
  ) throws -> PostgreSQLStore {
    var options = options
    options.migration = migration
    change(&options)
    return try PostgreSQLStore(server.address, model: model, options: options)
  }
}
