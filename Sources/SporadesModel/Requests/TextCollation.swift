// SPDX-License-Identifier: MIT
import FoundationEssentials

/// An order of texts by the rules of a language: `SortTerm("name", collation: .localizedStandard(locale: "sv_SE"))`.
///
/// Without a collation, texts have the order of their bytes, the same on every machine. The rules of languages come
/// with Foundation. A program that sorts by them imports `SporadesFoundation` and calls `TextCollation.useFoundation()`
/// once, when it begins.
///
/// An order by a language has no index: the store computes a key for each row. No store keeps such a key in a file,
/// because the next version of the rules may give another one.
public struct TextCollation: Hashable, Sendable {
  /// The differences between texts that an order knows. The raw value is its name in a text of sort terms.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    /// Letters, then marks, then case: `a`, `A`, `á`.
    case localized
    /// Letters, then marks. Texts that differ in case alone are equal.
    case localizedCaseInsensitive
    /// As lists of files are sorted: as ``localized``, and digits in a text are a number, `a9` before `a10`.
    case localizedStandard

    /// The name of the method that Core Data sorts by: `localizedStandardCompare:`.
    package var selector: String { "\(rawValue)Compare:" }

    package init?(selector: String) {
      guard let known = Self.allCases.first(where: { $0.selector == selector }) else { return nil }
      self = known
    }
  }

  /// The differences that the order knows.
  public var comparison: Comparison
  /// The identifier of the language and region, such as `sv_SE` or `de@collation=phonebook`. Nil is the locale that is
  /// current where the request is made.
  public var locale: String?

  /// Makes an order of texts. Without a locale, each request takes the one that is then current.
  public init(_ comparison: Comparison, locale: String? = nil) {
    self.comparison = comparison
    self.locale = locale
  }

  /// Core Data's `localizedCompare:` in the current locale.
  public static let localized = TextCollation(.localized)
  /// Core Data's `localizedCaseInsensitiveCompare:` in the current locale.
  public static let localizedCaseInsensitive = TextCollation(.localizedCaseInsensitive)
  /// Core Data's `localizedStandardCompare:` in the current locale.
  public static let localizedStandard = TextCollation(.localizedStandard)

  /// Core Data's `localizedCompare:` in a locale, such as `sv_SE`.
  public static func localized(locale: String) -> Self { Self(.localized, locale: locale) }
  /// Core Data's `localizedCaseInsensitiveCompare:` in a locale, such as `sv_SE`.
  public static func localizedCaseInsensitive(locale: String) -> Self {
    Self(.localizedCaseInsensitive, locale: locale)
  }
  /// Core Data's `localizedStandardCompare:` in a locale, such as `sv_SE`.
  public static func localizedStandard(locale: String) -> Self {
    Self(.localizedStandard, locale: locale)
  }
}

// MARK: - The rules of languages

/// Gives texts keys whose bytes have the order of the texts.
///
/// Keys and not comparisons: texts that are compared by keys have one order, whatever the rules are.
package protocol TextCollator: Sendable {
  func key(of text: String) -> [UInt8]
}

/// The rules of languages.
package protocol TextCollationSource: Sendable {
  /// The identifier of the current locale.
  var currentLocale: String { get }
  /// Nil if the source has no rules for the locale.
  func collator(_ comparison: TextCollation.Comparison, locale: String) -> (any TextCollator)?
}

/// The rules of languages that a process has.
package final class LanguageRules: Sendable {
  private struct Content {
    var source: (any TextCollationSource)?
    var collators: [TextCollation: any TextCollator] = [:]
  }
  private let content = Guarded(Content())
  /// A program that takes locales from its users keeps the collators of the first hundred.
  private static let mostCollators = 100

  /// The rules that requests follow.
  package static let ofProcess = LanguageRules()

  package init() {}

  /// Takes the rules of a source. A source that is there already stays.
  package func use(_ source: any TextCollationSource) {
    content.withLock { content in
      if content.source == nil { content.source = source }
    }
  }

  /// The collation with the current locale if it names none.
  func localized(_ collation: TextCollation) throws(FetchPredicateError) -> TextCollation {
    guard collation.locale == nil else { return collation }
    guard let source = content.withLock({ $0.source }) else { throw Self.noRules(collation) }
    return TextCollation(collation.comparison, locale: source.currentLocale)
  }

  /// Finds the rules of the locale. Refuses if the process has no rules, or none for the locale.
  package func collator(
    _ collation: TextCollation
  ) throws(FetchPredicateError) -> any TextCollator {
    let collation = try localized(collation)
    let locale = collation.locale ?? ""
    // Making a collator reads files. Under the lock, one thread reads them and not several.
    let found = content.withLock { content -> (hasSource: Bool, collator: (any TextCollator)?) in
      if let known = content.collators[collation] { return (true, known) }
      let made = content.source?.collator(collation.comparison, locale: locale)
      if let made, content.collators.count < Self.mostCollators {
        content.collators[collation] = made
      }
      return (content.source != nil, made)
    }
    guard found.hasSource else { throw Self.noRules(collation) }
    guard let collator = found.collator else {
      throw FetchPredicateError(
        .unsupported,
        "There are no rules of a language for the locale \"\(locale)\". Write an identifier such as \"sv_SE\" or \"de\"."
      )
    }
    return collator
  }

  private static func noRules(_ collation: TextCollation) -> FetchPredicateError {
    FetchPredicateError(
      .unsupported,
      "The order \(collation.comparison.rawValue) needs the rules of languages, which come with Foundation. Import "
        + "SporadesFoundation and call TextCollation.useFoundation() once when the program begins, or sort by [cd]."
    )
  }
}

extension TextCollation {
  /// The collation with the current locale if it names none. Requests keep it, so that all who answer one request
  /// follow the same rules.
  package func inLocale() throws(FetchPredicateError) -> TextCollation {
    try LanguageRules.ofProcess.localized(self)
  }

  /// Finds the rules of the locale. Refuses if the process has no rules, or none for the locale.
  package func collator() throws(FetchPredicateError) -> any TextCollator {
    try LanguageRules.ofProcess.collator(self)
  }
}

extension TextCollator {
  /// The value with a key in place of a text.
  package func key(_ value: Value) -> Value {
    switch value {
    case .string(let text): .data(Data(key(of: text)))
    case .url(let url): .data(Data(key(of: url.absoluteString)))
    default: value
    }
  }
}
