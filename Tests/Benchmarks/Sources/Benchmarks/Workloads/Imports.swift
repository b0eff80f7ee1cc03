// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import RawStore
import Sporades
import SporadesImport

/// All accounts imported from lines of JSON into a store without accounts.
struct ImportLines: Workload {
  static let key = "import_json"
  static let title = "import all accounts from JSON, find or make by email, link by code"
  static let start = Template.clubs
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try Self.importRaw(Accounts(sample, beside: path), changing: false, path, &watch)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try Self.importOurs(Accounts(sample, beside: path).file, path, &watch)
  }
}

/// The same accounts imported again, of which a tenth changed.
struct ImportAgain: Workload {
  static let key = "import_update"
  static let title = "import the same accounts again, a tenth changed"
  static let start = Template.accounts
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try ImportLines.importRaw(Accounts(sample, beside: path), changing: true, path, &watch)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try ImportLines.importOurs(Accounts(sample, beside: path).changed, path, &watch)
  }
}

extension ImportLines {
  static func importRaw(
    _ accounts: Accounts, changing: Bool, _ path: String, _ watch: inout Stopwatch
  ) throws -> UInt64 {
    do {
      let database = RawDatabase(path)
      try watch.time {
        database.execute("BEGIN IMMEDIATE")
        try accounts.importRaw(database, changing: changing)
        database.execute("COMMIT")
      }
    }
    return Accounts.contents(of: path)
  }

  static func importOurs(
    _ file: URL, _ path: String, _ watch: inout Stopwatch
  ) throws -> UInt64 {
    do {
      let service = try openService(path, [Account.self, Club.self])
      defer { try? service.close() }
      try watch.time {
        try waiting { _ = try await service.import(Account.self, from: .json(file)) }
        // Until the last commit has been reported.
        _ = service.flush(within: .seconds(60))
      }
    }
    return Accounts.contents(of: path)
  }
}

/// Runs asynchronous work, and waits for its end.
func waiting<Output: Sendable>(
  _ body: @escaping @Sendable () async throws -> Output
) throws {
  let done = DispatchSemaphore(value: 0)
  let failure = Failure()
  Task {
    do { _ = try await body() } catch { failure.error = error }
    done.signal()
  }
  done.wait()
  if let error = failure.error { throw error }
}

/// The error of a task, which its waiter reads after the task.
private final class Failure: @unchecked Sendable {
  // @unchecked: the semaphore orders the write before the read.
  var error: (any Error)?
}

/// All accounts written as lines of JSON.
struct ExportLines: Workload {
  static let key = "export_json"
  static let title = "export all accounts to lines of JSON"
  static let start = Template.accounts

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let target = path + ".raw"
    let database = RawDatabase(path)
    watch.time {
      var printer = RawPrinter(target)
      let statement = database.prepare(RawAccount.select)
      while statement.step() { printer.print(statement) }
      printer.finish()
    }
    return try Self.sum(target)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let target = path + ".ours"
    let service = try openService(path, [Account.self, Club.self])
    defer { try? service.close() }
    try watch.time {
      try waiting {
        try await service.export(
          Account.request, as: .jsonLines, to: URL(fileURLWithPath: target))
      }
    }
    return try Self.sum(target)
  }

  /// A checksum of a file, which is removed.
  private static func sum(_ path: String) throws -> UInt64 {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    var sum = Checksum()
    for byte in data { sum.add(Int(byte)) }
    return sum.value
  }
}
