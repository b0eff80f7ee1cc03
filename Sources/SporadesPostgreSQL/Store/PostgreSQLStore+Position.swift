// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
public import SporadesStore

/// What a store has written up to a moment, for a store of another process.
public struct PostgreSQLPosition: Codable, Hashable, Sendable {
  let line: Int64
  let place: Int64
  let writer: UUID
  let number: Int64
}

extension PostgreSQLStore {
  /// What the store has written up to now, and what it could read. Makes sure that it is on the server's disk.
  ///
  /// ```swift
  /// let position = try store.position()   // hand it to another process, as JSON
  /// try otherStore.see(position)
  /// ```
  public func position() throws(StoreError) -> PostgreSQLPosition {
    guard tables.keepsBooks else { throw .unkept("positions") }
    try commit(.immediate)
    let promises = source.promises
    let number = promises.number
    let position = try onPrimary { (connection) throws(StoreError) in
      try ServerPosition.ofPrimary(connection)
    }
    return PostgreSQLPosition(
      line: position.line, place: position.place, writer: promises.client, number: number)
  }

  /// Has every later read of this store show what lies before the position. Throws an error of the code `behind` if the server
  /// lacks it, because another one took over that had not received it.
  public func see(_ position: PostgreSQLPosition) throws(StoreError) {
    guard tables.keepsBooks else { throw .unkept("positions") }
    let (found, number, place) = try onPrimary { (connection) throws(StoreError) in
      let found = try ServerPosition.ofPrimary(connection)
      let number = try connection.run(
        "SELECT last_write FROM \(ServerLayout.clients) WHERE id = $1",
        [.uuid(position.writer.bytes)])
      return (found, number.integer(0, 0) ?? 0, connection.place)
    }
    let isThere =
      found.line == position.line
      ? found.place >= position.place : number >= position.number
    guard isThere else {
      throw StoreError(
        .behind,
        "\(place): The server lacks what was written before a position. Another server took over that had not received it, "
          + "or the position belongs to another server. Do the work again, from what this server has."
      )
    }
    noteSeen()
  }

  /// Goes on although the server lacks acknowledged writes of this store. Objects that were read before may show them until they
  /// are refreshed.
  public func acceptLosses() {
    source.promises.withdraw()
    noteSeen()
  }
}
