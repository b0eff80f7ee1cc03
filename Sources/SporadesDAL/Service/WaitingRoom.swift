// SPDX-License-Identifier: MIT

/// What somebody hears who waits for room.
enum RoomAnswer {
  case admitted
  /// The gate stopped or closed; asking again says why.
  case refused
}

/// Bounds the writes that nobody waits for, and keeps those who ask for more in their order.
///
/// Once it is full, it stays so until a quarter is free. A thread that waits then brings many writes at
/// once, and is not woken for each.
struct WaitingRoom {
  let limit: Int
  private var inside = 0
  private var isFull = false
  var waiting: [@Sendable (RoomAnswer) -> Void] = []

  init(limit: Int) { self.limit = limit }

  /// Takes one more write; false where there is no room, or others wait for it.
  mutating func enter() -> Bool {
    guard !isFull, waiting.isEmpty else { return false }
    inside += 1
    isFull = inside >= limit
    return true
  }

  /// A write has passed; returns those who are let in now. A gate that is not open lets nobody in.
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

  /// Lets everybody go who waits.
  mutating func clear() -> [@Sendable (RoomAnswer) -> Void] {
    defer { waiting = [] }
    return waiting
  }
}
