// SPDX-License-Identifier: MIT

/// The gate's answer to a write that waits for room.
enum RoomAnswer {
  case admitted
  /// The gate stopped or closed. The write asks again and gets the reason.
  case refused
}

/// Limits the number of pending writes whose callers do not wait for them, and queues the writes beyond the limit.
///
/// A full room counts as full until a quarter of it is free. A waiting thread then adds many writes at once, and
/// need not wake for each.
struct WaitingRoom {
  let limit: Int
  private var inside = 0
  private var isFull = false
  var waiting: [@Sendable (RoomAnswer) -> Void] = []

  init(limit: Int) { self.limit = limit }

  /// Admits one more write. Returns false if there is no room or if other writes wait for it.
  mutating func enter() -> Bool {
    guard !isFull, waiting.isEmpty else { return false }
    inside += 1
    isFull = inside >= limit
    return true
  }

  /// Removes a write that has run. Returns the waiting writes that it admits; a gate that is not open admits none.
  mutating func leave(isOpen: Bool) -> [@Sendable (RoomAnswer) -> Void] {
    inside -= 1
    if inside <= limit - max(1, limit / 4) { isFull = false }
    guard !isFull, isOpen, !waiting.isEmpty else { return [] }
    let admitted = Array(waiting.prefix(limit - inside))
    waiting.removeFirst(admitted.count)
    inside += admitted.count
    isFull = inside >= limit
    return admitted
  }

  /// Removes and returns all waiting writes.
  mutating func clear() -> [@Sendable (RoomAnswer) -> Void] {
    defer { waiting = [] }
    return waiting
  }
}
