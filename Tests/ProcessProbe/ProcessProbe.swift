// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// Plays one part on a store that other processes have open, too.
///
/// The probe prints `ready` when it has opened the store, and waits for a line. Then it works, and prints a line for
/// each fact that its test compares. A refusal that ends its work is the line `failed`.
@main
enum ProcessProbe {
  static func main() {
    do {
      let words = CommandLine.arguments
      guard words.count > 2, let part = Part(rawValue: words[1]) else { throw Usage() }
      let numbers = words.dropFirst(3).compactMap { Int($0) }
      try part.play(URL(fileURLWithPath: words[2]), numbers, words.last ?? "")
    } catch let error as StoreError {
      say("failed \(name(of: error)) retryable \(error.isRetryable)")
    } catch {
      say("failed \(error)")
    }
  }

  struct Usage: Error {}

  static func name(of error: StoreError) -> String {
    switch error.code {
    case .conflict: "conflict"
    default: "\(error.code)"
    }
  }
}

/// What a process does.
enum Part: String {
  /// Adds to an account that all processes share, and inserts a note each time.
  case count
  /// Moves money between accounts until the input ends.
  case transfer
  /// Writes once and tells whether it had to give up.
  case once
  /// Reads one state of the store until it is told to stop.
  case read
  /// Copies the store again and again.
  case copy
  /// Changes anything at random, from several contexts.
  case random
  /// Removes everything, some times.
  case reset
  /// Changes the store to the next version of its model.
  case migrate
  /// Saves in a context of a bare stack, and ends.
  case end
  /// Removes the file.
  case destroy
  /// Writes texts with a search index, and makes the index anew, until it is killed.
  case search
  /// Saves to two stores until the input ends.
  case share
  /// Works until somebody takes the file away, and works on with what lies there then.
  case survive

  func play(_ store: URL, _ numbers: [Int], _ last: String) throws {
    func number(_ place: Int) throws -> Int {
      guard place < numbers.count else { throw ProcessProbe.Usage() }
      return numbers[place]
    }
    switch self {
    case .count: try Counting(store, number: try number(0)).play(share: try number(1))
    case .transfer:
      var transfer = try Transfer(store, seed: try number(0))
      try transfer.play()
    case .once: try playOnce(store, milliseconds: try number(0))
    case .read: try playReading(store)
    case .copy: try playCopying(store, last, count: try number(0))
    case .random:
      var work = try RandomWork(store, number: try number(0), seed: try number(1))
      try work.play(try number(2))
    case .reset: try playResetting(store, count: try number(0))
    case .migrate: try playMigrating(store)
    case .end: try playEnding(store, keepsStack: last == "kept")
    case .destroy: try playDestroying(store)
    case .search:
      var searching = try Searching(store, seed: try number(0), lastNumber: try number(1))
      try searching.play()
    case .share: try playSharing(store, number: try number(0))
    case .survive:
      guard let survivor = Survivor(rawValue: last) else { throw ProcessProbe.Usage() }
      try survivor.play(store)
    }
  }
}

/// Writes a line at once, without a buffer.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Tells the test that the store is open, and waits for its word.
func waitForWord() {
  say("ready")
  _ = readLine()
}

/// Opens the store as all parts do.
func open(
  _ store: URL, _ classes: [ManagedObject.Type] = Bank.classes, busyMilliseconds: Int? = nil,
  migrates: Bool = false
) throws -> DataStack {
  var options = SQLiteStoreOptions()
  options.migration.isAutomatic = migrates
  if let busyMilliseconds { options.busyMilliseconds = busyMilliseconds }
  return try DataStack(sqlite: store, entities: classes, options: options)
}
