// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory

/// The program that follows: it brings a text file up to date, save by save.
///
/// It may be killed at any moment. The file tells the last save that it shows, and is replaced as a whole. The store tells
/// the last save that this program confirmed, which is never a later one. What the store tells again is left out.
final class Follower {
  private let service: DALService
  private let file: URL
  /// The name by which the store knows this program.
  private let name: String
  private var page: Page

  init(_ service: DALService, _ file: URL) throws {
    self.service = service
    self.file = file
    name = file.lastPathComponent
    page = try Page(readingFrom: file) ?? Page()
  }

  /// Follows the history for ever, or up to the save that is the last one now.
  func follow(untilNow: Bool) async throws {
    let last = try Notes.lastTransaction(of: service)
    // The store is an older copy.
    if page.transaction > last { try readAnew() }
    while !untilNow || page.transaction < last {
      do {
        guard try await takeSaves(until: untilNow ? last : .max) else { return }
      } catch  where Self.isExpired(error) {
        try readAnew()
      }
    }
    Mirror.say("shows transaction \(page.transaction)")
  }

  /// Takes save after save. Returns false if no more can come.
  private func takeSaves(until last: Int64) async throws -> Bool {
    for try await save in try service.history(for: name) {
      let next = page.transaction + 1
      if save.transactionNumber < next { continue }
      if save.transactionNumber > next {
        // The text file is older than what was confirmed: somebody removed it or brought back a copy.
        try readAnew()
        return true
      }
      try take(save)
      if page.transaction >= last { return true }
    }
    return false
  }

  private func take(_ save: PersistentHistoryTransaction) throws {
    // The notes may be newer than the save. What follows in the history says so.
    let notes = try Notes.all(of: service)
    for change in save.changes ?? [] {
      let key = change.changedObjectID.key.primaryKey
      if change.changeType == .delete {
        page.lines[key] = nil
      } else {
        let changes = (page.lines[key]?.changes ?? 0) + 1
        page.lines[key] = Page.Line(changes: changes, text: notes[key]?.text ?? "gone")
      }
    }
    page.transaction = save.transactionNumber
    try page.write(to: file)
    Mirror.say("\(page.transaction)")
  }

  /// Writes the text of all notes, and begins to follow behind the save that it shows.
  private func readAnew() throws {
    page = try Notes.page(of: service)
    try page.write(to: file)
    try service.removeHistoryReader(named: name)
    Mirror.say("read anew up to \(page.transaction)")
  }

  private static func isExpired(_ error: any Error) -> Bool {
    guard let error = error as? DALError, case .store(let cause) = error.code else { return false }
    return cause.code == .historyExpired
  }
}
