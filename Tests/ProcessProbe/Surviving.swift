// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory

/// What a process does on a store whose file somebody takes away.
enum Survivor: String {
  /// Inserts notes until that is refused.
  case write
  /// Inserts five notes, and after that one at each word.
  case step
  /// Counts the notes, and inserts one behind that.
  case read
  /// Waits for the commits of others.
  case hear
  /// Reads the history under a name.
  case follow

  /// Prints `lost` with the name of the error that tells of the loss, closes the store at the test's word, and works on with
  /// what lies at the path then.
  func play(_ url: URL) throws {
    try loseFile(url)
    say("closed")
    _ = readLine()
    let service = try Self.open(url)
    let work = try Work(service)
    waitForWord()
    try work.go(self, untilRefused: false)
    try service.close()
    say("done")
  }

  /// The service is released at the end.
  private func loseFile(_ url: URL) throws {
    let service = try Self.open(url)
    let work = try Work(service)
    waitForWord()
    do {
      try work.go(self, untilRefused: true)
      say("never refused")
    } catch {
      say("lost \(Self.name(of: error))")
    }
    _ = readLine()
    // `try?`, because what could not be written is lost, as the error has said.
    try? service.close()
  }

  private static func open(_ url: URL) throws -> DALService {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    return DALService(stack: try DataStack(sqlite: url, entities: Bank.classes, options: options))
  }

  private static func name(of error: any Error) -> String {
    switch error {
    case let error as StoreError: ProcessProbe.name(of: error)
    case ContextError.notDurable(let cause, _): ProcessProbe.name(of: cause)
    case let error as DALError:
      if case .store(let cause) = error.code { ProcessProbe.name(of: cause) } else { "\(error)" }
    default: "\(error)"
    }
  }

  /// One opening of the store.
  private struct Work: Sendable {
    private let service: DALService
    private let changes: NotificationSequence<RemoteChange>
    private let history: HistorySequence

    init(_ service: DALService) throws {
      self.service = service
      changes = try service.remoteChanges
      history = try service.history(for: "follower")
    }

    /// Prints a line for each thing that was done, one or all until an error.
    func go(_ survivor: Survivor, untilRefused isEndless: Bool) throws {
      switch survivor {
      case .write:
        repeat { try insert() } while isEndless
      case .step:
        var count = 0
        repeat {
          if count >= 5 { _ = readLine() }
          try insert()
          count += 1
        } while isEndless
      case .read:
        repeat {
          say("read \(try service.readValue { try Bank.Note.count(in: $0) })")
          if isEndless, readLine() == "write" { try insert() }
        } while isEndless
      case .hear:
        try waiting { [changes] in
          var iterator = changes.makeAsyncIterator()
          repeat {
            guard let change = await iterator.next() else { return }
            if let failure = change.failure { throw failure }
            say("commit")
          } while isEndless
        }
      case .follow:
        try waiting { [history] in
          var iterator = history.makeAsyncIterator()
          repeat {
            guard try await iterator.next() != nil else { return }
            say("transaction")
          } while isEndless
        }
      }
    }

    private func insert() throws {
      try service.stack().newContext().performAndWait { context in
        Bank.Note.create(in: context).title = "survivor"
        context.durability = .immediate
        try context.save()
      }
      say("ok")
    }

    /// Blocks until the task has ended.
    private func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
      let end = DispatchSemaphore(value: 0)
      let failure = Guarded<(any Error)?>(nil)
      Task {
        do { try await body() } catch { failure.withLock { $0 = error } }
        end.signal()
      }
      end.wait()
      if let error = failure.withLock(\.self) { throw error }
    }
  }
}
