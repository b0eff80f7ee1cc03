// SPDX-License-Identifier: MIT
import Sporades

/// Sends messages, each as it would come over the wire. It can only write.
struct Server {
  let messages: Int

  func deliver(to downloads: any CommandModel) async throws {
    let addresses = ["ada@example.org", "grace@example.org", "edsger@example.org"]
    for number in 1...messages {
      let raw = """
        From: \(addresses[number % 3])
        Subject: Message \(number)

        Text of message \(number).
        """
      try await downloads.write { context in
        let download = Download.create(in: context)
        download.number = number
        download.raw = raw
      }
    }
  }
}

/// Reads what was downloaded and files it where the user sees it. Values go from one stack to the
/// other, never objects.
struct Clerk {
  let expected: Int

  init(expecting expected: Int) { self.expected = expected }

  func file(from downloads: DALService, to mail: DALService) async throws {
    var filed = 0
    while filed < expected {
      let arrived = try await downloads.read { context in
        try Download.all(sortedBy: \.number, in: context).map { Letter(number: $0.number, $0.raw) }
      }
      guard !arrived.isEmpty else {
        await Task.yield()
        continue
      }
      try await mail.write { context in
        for letter in arrived { try letter.file(in: context) }
      }
      let last = arrived[arrived.count - 1].number
      try await downloads.write { context in
        try Download.deleteAll(where: \.number <= last, in: context)
      }
      filed += arrived.count
    }
  }
}

/// A downloaded message, taken apart.
struct Letter: Sendable {
  let number: Int
  private var address = ""
  private var subject = ""
  private var body = ""

  init(number: Int, _ raw: String) {
    self.number = number
    var isBody = false
    for line in raw.split(separator: "\n", omittingEmptySubsequences: false) {
      if isBody {
        body += line
      } else if line.isEmpty {
        isBody = true
      } else if line.hasPrefix("From: ") {
        address = String(line.dropFirst(6))
      } else if line.hasPrefix("Subject: ") {
        subject = String(line.dropFirst(9))
      }
    }
  }

  func file(in context: ManagedObjectContext) throws {
    let message = Message.create(in: context)
    message.number = number
    message.subject = subject
    message.body = body
    message.sender = try Sender.firstOrCreate(\.address, equalTo: address, in: context)
  }
}

/// Reads while others write. It can only read.
struct Screen {
  /// Each look shows at least what the one before showed, and no message without its sender.
  func watch(_ mail: any QueryModel, until expected: Int) async throws {
    var seen = 0
    while seen < expected {
      let (count, orphans) = try await mail.read { context in
        (try Message.count(in: context), try Message.count(where: \.sender == nil, in: context))
      }
      guard count >= seen, orphans == 0 else {
        throw Unsteady(description: "saw \(seen) messages, then \(count), \(orphans) of nobody")
      }
      seen = count
      await Task.yield()
    }
  }

  func show(_ mail: any QueryModel) async throws {
    let lines = try await mail.read { context in
      try Sender.all(sortedBy: \.address, in: context).map { sender in
        let first = sender.messages.min { $0.number < $1.number }
        return "\(sender.address): \(sender.messages.count), first: \(first?.subject ?? "none")"
      }
    }
    for line in lines { print(line) }
    let text = try await mail.read { context in
      try Message.first(where: \.number == 300, in: context)?.body
    }
    print("last: \(text ?? "none")")
  }

  struct Unsteady: Error, CustomStringConvertible {
    let description: String
  }
}
