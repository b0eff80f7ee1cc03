// SPDX-License-Identifier: MIT
import SporadesModel

/// A model whose texts are searched in every way.
///
/// | entity | searches look into |
/// |---|---|
/// | `Article`, and below it `Story` | its title and text, its author's name, and the name of that author's home; a story's plot |
/// | `Author` | its name |
/// | `Place` | nothing |
/// | `Note` | parts of its text |
enum SearchedLibrary {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: [article, story, author, place, note])
    } catch {
      preconditionFailure("The searched library is not a valid model: \(error)")
    }
  }()

  /// The entities with searchable texts, and the names by which searches name these.
  static let columns = [
    "Article": ["title", "text", "author.name", "author.home.name"],
    "Story": ["title", "text", "author.name", "author.home.name", "plot"],
    "Author": ["name"], "Note": ["text"],
  ]
  static let entities = columns.keys.sorted()

  static func shape(_ name: String) -> EntityShape {
    guard let shape = model.shape(named: name) else {
      preconditionFailure("The searched library has no entity \(name).")
    }
    return shape
  }

  private static let article = EntityDescription(
    "Article",
    attributes: [
      searched("title", ["SporadesSearchWeight": "4", "SporadesSearchPrefixes": "2"]),
      searched(
        "text", isOptional: true,
        ["SporadesSearchIncluding": "author.name author.home.name"]),
      AttributeDescription("kind", .string), AttributeDescription("views", .integer64),
    ], relationships: [.toOne("author", "Author", inverse: "articles")])

  private static let story = EntityDescription(
    "Story", attributes: [searched("plot", isOptional: true)], superentityName: "Article")

  private static let author = EntityDescription(
    "Author", attributes: [searched("name"), AttributeDescription("born", .integer64)],
    relationships: [
      .toMany("articles", "Article", inverse: "author"),
      .toOne("home", "Place", inverse: "people"),
    ])

  private static let place = EntityDescription(
    "Place", attributes: [AttributeDescription("name", .string)],
    relationships: [.toMany("people", "Author", inverse: "home")])

  private static let note = EntityDescription(
    "Note", attributes: [searched("text", ["SporadesSearchForm": "parts"])])

  /// A text with the notes that a model file has, too.
  private static func searched(
    _ name: String, isOptional: Bool = false, _ notes: [String: String] = [:]
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, .string, isOptional: isOptional)
    attribute.userInfo = notes.merging(["SporadesSearchable": "YES"]) { $1 }
    return attribute
  }
}
