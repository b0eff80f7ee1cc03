// SPDX-License-Identifier: MIT
import SporadesModel

#if canImport(_FoundationICU)
  import _FoundationICU

  /// A collator of ICU's, whose keys have the order of a language.
  @safe
  final class ICUCollator: TextCollator, @unchecked Sendable {
    // @unchecked: nobody changes the collator after its making, and ICU's keys may be asked for by several threads.
    private let collator: OpaquePointer

    /// Nil if ICU cannot read the rules of the locale.
    init?(_ comparison: TextCollation.Comparison, locale: String) {
      var status = U_ZERO_ERROR
      guard let collator = unsafe swift_ucol_open(locale, &status) else { return nil }
      unsafe self.collator = collator
      let strength = comparison == .localizedCaseInsensitive ? UCOL_SECONDARY : UCOL_TERTIARY
      let isNumeric = comparison == .localizedStandard
      unsafe swift_ucol_setAttribute(collator, UCOL_STRENGTH, strength, &status)
      unsafe swift_ucol_setAttribute(
        collator, UCOL_NUMERIC_COLLATION, isNumeric ? UCOL_ON : UCOL_OFF, &status)
      // Texts of a store need not be in a normal form.
      unsafe swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
      // Statuses below zero are warnings: the locale has the rules of a wider one.
      guard status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
    }

    deinit { unsafe swift_ucol_close(collator) }

    func key(of text: String) -> [UInt8] {
      let units = Array(text.utf16)
      var room = units.count * 4 + 16
      while true {
        var needed = 0
        let key = unsafe [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
          needed = Int(
            unsafe swift_ucol_getSortKey(
              collator, units, Int32(clamping: units.count), bytes.baseAddress,
              Int32(clamping: room)))
          // The last byte of a key is zero.
          count = needed <= room ? max(0, needed - 1) : 0
        }
        precondition(needed > 0, "ICU made no key of a text; the process has no memory left.")
        if needed <= room { return key }
        room = needed
      }
    }
  }
#else
  /// Other systems keep ICU to themselves.
  struct ICUCollator: TextCollator {
    init?(_ comparison: TextCollation.Comparison, locale: String) { return nil }
    func key(of text: String) -> [UInt8] { [] }
  }
#endif
