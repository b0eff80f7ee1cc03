// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL
import SporadesStore

/// Translates the bits of history changes from one version of a model to another.
final class SlotTranslations: Sendable {
  /// By the number of the entity in the older version.
  private let bits: [Int64: Translation]

  private struct Translation {
    let sources: [Int?]
    /// The number of bytes in the older version.
    let count: Int
  }

  init(_ changes: [HistoryChange]) {
    var bits: [Int64: Translation] = [:]
    for change in changes {
      guard let sources = change.bits else { continue }
      bits[change.numbers.old] = Translation(sources: sources, count: (change.width + 7) / 8)
    }
    self.bits = bits
  }

  /// The bytes in the newer version; nil if the bytes do not fit the entity. The bytes of an entity whose bits stay are
  /// returned as they are.
  func bytes(_ entity: Int64, _ old: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let translation = bits[entity] else { return unsafe Array(old) }
    guard old.count == translation.count else { return nil }
    var new = [UInt8](repeating: 0, count: (translation.sources.count + 7) / 8)
    for (place, source) in translation.sources.enumerated() {
      guard let source, unsafe old[source / 8] & (0x80 >> UInt8(source % 8)) != 0 else { continue }
      new[place / 8] |= 0x80 >> UInt8(place % 8)
    }
    return new
  }
}

extension Connection {
  /// `SPORADES_COLUMNS(entity, bits)`: the bits of a history change in another version of the model.
  func registerColumns(_ translations: SlotTranslations) throws(StoreError) {
    unsafe try register(
      SQLFunction.columns, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, owner: translations
    ) { context, _, arguments in
      guard let owned = unsafe sqlite3_user_data(context) else { return }
      let translations = unsafe Unmanaged<SlotTranslations>.fromOpaque(owned).takeUnretainedValue()
      unsafe translations.answer(context, arguments?[0], arguments?[1])
    }
  }
}

extension SlotTranslations {
  @unsafe
  fileprivate func answer(
    _ context: OpaquePointer?, _ entity: OpaquePointer?, _ value: OpaquePointer?
  ) {
    guard unsafe sqlite3_value_type(value) == SQLITE_BLOB else {
      return unsafe sqlite3_result_value(context, value)
    }
    let start = unsafe sqlite3_value_blob(value)
    let count = Int(unsafe sqlite3_value_bytes(value))
    let old = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let new = unsafe bytes(sqlite3_value_int64(entity), old) else {
      return unsafe sqlite3_result_null(context)
    }
    unsafe new.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, bytes.count > 0 else {
        return unsafe sqlite3_result_zeroblob(context, 0)
      }
      unsafe sqlite3_result_blob64(context, start, UInt64(bytes.count), sporades_transient())
    }
  }
}
