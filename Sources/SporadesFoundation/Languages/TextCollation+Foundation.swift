// SPDX-License-Identifier: MIT
import Foundation
public import SporadesModel

extension TextCollation {
  /// Gives the process the rules of languages that come with Foundation. Call it once, when the program begins.
  ///
  /// ```swift
  /// import SporadesFoundation
  ///
  /// TextCollation.useFoundation()
  /// let users = try User.sorted(by: .ascending(\.lastname, .localizedStandard(locale: "sv_SE"))).fetch(in: context)
  /// ```
  ///
  /// The current locale is `Locale.current`. On Linux that is the same for all programs, whatever `LANG` says, so
  /// servers name a locale.
  public static func useFoundation() { LanguageRules.ofProcess.use(FoundationRules()) }
}

/// The rules of the ICU that Foundation has.
///
/// `String.compare(_:locale:)` is no order: of two texts with letters that a language expands, such as `ö` and
/// `oébß`, each comes behind the other on Linux. ICU's keys have one order, and each is made once for a row.
private struct FoundationRules: TextCollationSource {
  var currentLocale: String { Locale.current.identifier }

  func collator(
    _ comparison: TextCollation.Comparison, locale: String
  ) -> (any TextCollator)? {
    // ICU takes its rules without a language for one that it does not know.
    guard let language = Locale(identifier: locale).language.languageCode, language.isISOLanguage
    else { return nil }
    return ICUCollator(comparison, locale: locale)
  }
}
