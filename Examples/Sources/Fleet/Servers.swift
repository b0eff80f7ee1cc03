// SPDX-License-Identifier: MIT
import Foundation

/// A primary and a synchronous standby, in a folder of their own.
final class Servers {
  private let folder: String
  private let programs: String
  /// PostgreSQL refuses to run as root.
  private let user = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []

  init() throws {
    let root = "/usr/lib/postgresql"
    // `try?`, because a machine without the folder has no PostgreSQL from packages.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    guard let newest = versions.compactMap(Int.init).filter({ $0 >= 14 }).max() else {
      throw Problem("There is no PostgreSQL server on this machine: apt-get install postgresql")
    }
    programs = "\(root)/\(newest)/bin"
    folder = "/tmp/fleet-\(UUID().uuidString.prefix(8))"
    try run("mkdir", folder, "\(folder)/primary", "\(folder)/standby")
    do {
      // Nobody needs these files after a loss of power.
      try run(
        "\(programs)/initdb", "--no-sync", "-D", "\(folder)/primary/data", "-U", "postgres", "-A",
        "trust")
      try start("primary")
      try run(
        "\(programs)/pg_basebackup", "--no-sync", "-D", "\(folder)/standby/data", "-h",
        "\(folder)/primary", "-U", "postgres", "-R", "-X", "stream", "-c", "fast")
      try start("standby")
      // A commit then returns when the standby has it, too.
      try ask("primary", "ALTER SYSTEM SET synchronous_standby_names = '*'")
      try ask("primary", "SELECT pg_reload_conf()")
      try poll(or: "The standby does not follow the primary.") {
        try ask("primary", "SELECT sync_state FROM pg_stat_replication") == "sync"
      }
    } catch {
      end()
      throw error
    }
  }

  /// Both servers, of which one at a time is the primary.
  var address: String {
    "host=\(folder)/primary,\(folder)/standby user=postgres dbname=postgres"
  }

  func killPrimary() throws {
    let text = try run("head", "-n", "1", "\(folder)/primary/data/postmaster.pid")
    guard let process = Int32(text) else { throw Problem("The primary has no process.") }
    // The server's other processes end when they notice it.
    try run("kill", "-KILL", "\(process)")
  }

  /// Has the standby take the primary's place, which is what a program such as Patroni does.
  func promoteStandby() throws {
    try ask("standby", "SELECT pg_promote()")
  }

  /// Ends what still runs.
  func end() {
    for name in ["primary", "standby"] {
      // `try?`, because a server that was killed cannot be stopped.
      _ = try? run(
        "\(programs)/pg_ctl", "-D", "\(folder)/\(name)/data", "-m", "immediate",
        "-t", "10", "stop")
    }
    // `try?`, because a folder that stays behind in /tmp harms nobody.
    _ = try? run("rm", "-rf", folder)
  }

  private func start(_ name: String) throws {
    // The socket lies beside the data, so that the name of the folder is the server's address.
    let place = "\(folder)/\(name)"
    let server = process([
      "\(programs)/postgres", "-D", "\(place)/data", "-k", place, "-c", "listen_addresses=",
    ])
    server.standardError = FileHandle.nullDevice
    try server.run()
    try poll(or: "The \(name) does not answer.") {
      guard server.isRunning else { throw Problem("The \(name) does not start.") }
      // `try?`, because a server that starts does not answer yet.
      return (try? run("\(programs)/pg_isready", "-q", "-h", place)) != nil
    }
  }

  @discardableResult
  private func ask(_ name: String, _ sql: String) throws -> String {
    try run(
      "\(programs)/psql", "-XqAt", "-h", "\(folder)/\(name)", "-U", "postgres", "-c", sql,
      "postgres")
  }

  /// Returns what the program prints.
  @discardableResult
  private func run(_ words: String...) throws -> String {
    let (process, output, errors) = (process(words), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    func text(_ pipe: Pipe) -> String {
      let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
      return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    // Errors are a few lines, which the pipe keeps until then.
    let (said, complaint) = (text(output), text(errors))
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Problem("\(words.joined(separator: " ")) failed. \(said) \(complaint)")
    }
    return said
  }

  private func process(_ words: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = user + words
    // The server's user may not enter the folder in which the program was started, and its programs complain.
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    return process
  }
}
