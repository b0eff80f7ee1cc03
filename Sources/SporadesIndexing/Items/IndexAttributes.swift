// SPDX-License-Identifier: MIT

/// The part of an object that an outside index keeps.
///
/// ```swift
/// var attributes = IndexAttributes(title: article.title, text: article.body)
/// attributes.keywords = article.tags.map(\.name)
/// attributes["year"] = .integer(Int64(article.year))
/// ```
public struct IndexAttributes: Hashable, Sendable, Codable {
  /// The title that a list of results shows.
  public var title: String?
  /// The text that a search reads.
  public var text: String?
  /// The words by which people look for the object.
  public var keywords: [String]
  /// All other values, by names of the program.
  public var values: [String: IndexValue]

  /// Collects the values of an object.
  public init(
    title: String? = nil, text: String? = nil, keywords: [String] = [],
    values: [String: IndexValue] = [:]
  ) {
    self.title = title
    self.text = text
    self.keywords = keywords
    self.values = values
  }

  /// The value with a name of the program; nil if there is none.
  public subscript(name: String) -> IndexValue? {
    get { values[name] }
    set { values[name] = newValue }
  }
}
