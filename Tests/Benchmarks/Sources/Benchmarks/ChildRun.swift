// SPDX-License-Identifier: MIT
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One run of a program that answers a line.
///
/// Started by `posix_spawn` and not through Foundation's `Process`, whose own work would be most
/// of what is measured.
struct ChildRun {
  /// The first line, without its end.
  let answer: String
  /// From the start until the answer arrived.
  let milliseconds: Double

  init(_ program: String, _ arguments: String...) throws(ProbeFailure) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw ProbeFailure(program, "has no pipe") }
    let start = ContinuousClock.now
    let child = try Self.start([program] + arguments, output: ends[1])
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(ends[0], &bytes, bytes.count)
    milliseconds = Benchmarks.milliseconds(since: start)
    close(ends[0])
    var status: Int32 = 0
    unsafe waitpid(child, &status, 0)
    guard status == 0, count > 0 else { throw ProbeFailure(program, "failed") }
    answer = String(
      decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Runs a program to its end, with its output in a file.
  static func finish(_ words: [String], into file: String) throws(ProbeFailure) {
    let output = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard output >= 0 else { throw ProbeFailure(words[0], "has no file for its output") }
    defer { close(output) }
    let child = try start(words, output: output)
    var status: Int32 = 0
    unsafe waitpid(child, &status, 0)
    guard status == 0 else { throw ProbeFailure(words[0], "failed") }
  }

  private static func start(
    _ words: [String], output: Int32
  ) throws(ProbeFailure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    var copies = unsafe words.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    var environment = unsafe ProcessInfo.processInfo.environment.map {
      unsafe strdup("\($0)=\($1)")
    }
    unsafe environment.append(nil)
    defer {
      for index in unsafe copies.indices { unsafe free(copies[index]) }
      for index in unsafe environment.indices { unsafe free(environment[index]) }
    }
    var child = pid_t()
    let code = unsafe posix_spawnp(&child, words[0], &actions, nil, &copies, &environment)
    guard code == 0 else { throw ProbeFailure(words[0], "cannot be started") }
    return child
  }
}

/// A probe did not answer.
struct ProbeFailure: Error, CustomStringConvertible {
  let description: String

  init(_ program: String, _ what: String) {
    description = "\(URL(fileURLWithPath: program).lastPathComponent) \(what)."
  }
}
