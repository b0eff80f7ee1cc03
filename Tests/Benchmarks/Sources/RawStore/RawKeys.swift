// SPDX-License-Identifier: MIT

/// The primary keys of an entity, `ZPLAYER` where no other is named, handed out as Core Data does: the highest stands in
/// `Z_PRIMARYKEY` and moves in the transaction that uses them.
public struct RawKeys: ~Copyable {
  private let update: RawStatement
  private var highest: Int64

  /// The process is the only writer, so the highest key is read once and kept.
  public init(_ database: borrowing RawDatabase, entity: Int = 1) {
    highest = database.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity)")
    update = database.prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = \(entity)")
  }

  /// Sets `count` keys aside inside the open transaction and answers the first.
  public mutating func reserve(_ count: Int) -> Int64 {
    let first = highest + 1
    highest += Int64(count)
    update.bind(1, highest)
    update.run()
    return first
  }
}
