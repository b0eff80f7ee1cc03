// SPDX-License-Identifier: MIT
import Sporades

/// An e-mail client without a window. What comes from the server and what the user sees are two
/// models in two files, so that neither has to wait for, or to know, the other.
@main struct MailBox {
  static func main() async throws {
    // Every run begins with an empty mailbox, so that it always prints the same.
    try Downloads.shared.reset()
    try Mail.shared.reset()

    let screen = Screen()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await Server(messages: 300).deliver(to: Downloads.shared) }
      group.addTask {
        try await Clerk(expecting: 300).file(from: Downloads.shared, to: Mail.shared)
      }
      group.addTask { try await screen.watch(Mail.shared, until: 300) }
      try await group.waitForAll()
    }
    try await screen.show(Mail.shared)
    let left = try await Downloads.shared.read { try Download.count(in: $0) }
    print("downloads left: \(left)")
  }
}
