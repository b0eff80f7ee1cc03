// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

extension AttributeOption {
  /// Searches find the words of the attribute's text.
  ///
  /// ```swift
  /// @Attribute(.searchable(weight: 4)) var title: String
  /// @Attribute(.searchable) var text: String
  /// ```
  public static var searchable: AttributeOption { searchable() }

  /// Searches find the words of the attribute's text.
  ///
  /// A word in a text of a larger weight ranks its object higher. `prefixes` are the lengths of beginnings of words for which
  /// the index keeps lists of their own, so that `gr*` is found faster and the file grows. A language without spaces
  /// between words, such as `ja` or `zh`, is searched by parts of words.
  public static func searchable(
    weight: Double = 1, prefixes: [Int] = [], language: String? = nil, as form: SearchForm? = nil
  ) -> AttributeOption {
    searchable(weight, prefixes, language, form, including: [])
  }

  /// Searches find the words of the attribute's text, and those of texts that to-one relationships lead to:
  /// `.searchable(including: \Article.author?.name)`.
  public static func searchable<Object: ManagedObject>(
    weight: Double = 1, prefixes: [Int] = [], language: String? = nil, as form: SearchForm? = nil,
    including keyPaths: PartialKeyPath<Object>...
  ) -> AttributeOption {
    do {
      let paths = try keyPaths.map { try $0.storedNames().joined(separator: ".") }
      return searchable(weight, prefixes, language, form, including: paths)
    } catch {
      let problem = "is to be searched with a key path that leads to no stored text. \(error)"
      return AttributeOption(".searchable", mistake: .init(.unknownProperty, problem))
    }
  }

  private static func searchable(
    _ weight: Double, _ prefixes: [Int], _ language: String?, _ form: SearchForm?,
    including paths: [String]
  ) -> AttributeOption {
    var notes = [SearchNotes.mark: "YES", SearchNotes.weight: "\(weight)"]
    if !prefixes.isEmpty {
      notes[SearchNotes.prefixes] = prefixes.map(String.init).joined(separator: " ")
    }
    notes[SearchNotes.language] = language
    notes[SearchNotes.form] = form?.rawValue
    if !paths.isEmpty { notes[SearchNotes.including] = paths.joined(separator: " ") }
    return AttributeOption(".searchable", notes: notes, for: [.string])
  }
}

/// The notes of a searchable attribute in its user info, which a model file has, too.
enum SearchNotes {
  /// `YES` marks a searchable attribute.
  static let mark = "SporadesSearchable"
  static let weight = "SporadesSearchWeight"
  /// Lengths with spaces between them.
  static let prefixes = "SporadesSearchPrefixes"
  static let language = "SporadesSearchLanguage"
  /// `words` or `parts`.
  static let form = "SporadesSearchForm"
  /// Key paths with spaces between them.
  static let including = "SporadesSearchIncluding"

  /// The languages whose texts have no spaces between words.
  static let languagesWithoutSpaces: Set = ["ja", "zh", "th", "lo", "km", "my"]
}
