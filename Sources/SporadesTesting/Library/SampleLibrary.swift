// SPDX-License-Identifier: MIT
public import SporadesModel

/// A model with every kind of property and link, and rows for it.
///
/// | entity | has |
/// |---|---|
/// | `Author` | many books; friends, the inverse of itself; favourites in an order |
/// | `Book`, and below it `Novel` and `Comic` | every type of attribute; a unique ISBN |
/// | `Shelf` | books in an order |
/// | `Category` | a parent and children; many books, which have many categories |
/// | `Loan` and `Receipt` | each other, both mandatory; a loan has a book |
public enum SampleLibrary {
  /// The model of the library.
  public static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(
        entities: [author, book, novel, comic, shelf, category, loan, receipt])
    } catch {
      preconditionFailure("The sample library is not a valid model: \(error)")
    }
  }()

  /// Finds the shape of an entity of the library.
  public static func shape(_ name: String) -> EntityShape {
    guard let shape = model.shape(named: name) else {
      preconditionFailure("The sample library has no entity \(name).")
    }
    return shape
  }

  private static let author = EntityDescription(
    "Author",
    attributes: [
      AttributeDescription("name", .string),
      AttributeDescription("born", .date, isOptional: true),
      AttributeDescription("rating", .double, isOptional: true),
    ],
    relationships: [
      .toMany("books", "Book", inverse: "author"),
      .toMany("friends", "Author", inverse: "friends"),
      .toMany("favourites", "Book", inverse: "fans", isOrdered: true),
    ])

  private static let book = EntityDescription(
    "Book",
    attributes: [
      AttributeDescription("title", .string),
      AttributeDescription("isbn", .string, isOptional: true),
      AttributeDescription("copies", .integer16),
      AttributeDescription("pageCount", .integer32, isOptional: true),
      AttributeDescription("views", .integer64, isOptional: true),
      AttributeDescription("price", .decimal, isOptional: true),
      AttributeDescription("score", .double, isOptional: true),
      AttributeDescription("weight", .float, isOptional: true),
      AttributeDescription("isRead", .boolean),
      AttributeDescription("published", .date, isOptional: true),
      AttributeDescription("cover", .binary, isOptional: true),
      AttributeDescription("uid", .uuid, isOptional: true),
      AttributeDescription("site", .uri, isOptional: true),
      AttributeDescription("notes", .transformable, isOptional: true),
    ],
    relationships: [
      .toOne("author", "Author", inverse: "books"),
      .toOne("shelf", "Shelf", inverse: "books"),
      .toMany("categories", "Category", inverse: "books"),
      .toMany("fans", "Author", inverse: "favourites"),
      .toMany("loans", "Loan", inverse: "book", deleteRule: .cascade),
    ],
    uniquenessConstraints: [["isbn"]])

  private static let novel = EntityDescription(
    "Novel", attributes: [AttributeDescription("genre", .string, isOptional: true)],
    superentityName: "Book")

  private static let comic = EntityDescription(
    "Comic", attributes: [AttributeDescription("issue", .integer32, isOptional: true)],
    superentityName: "Book")

  private static let shelf = EntityDescription(
    "Shelf", attributes: [AttributeDescription("label", .string)],
    relationships: [.toMany("books", "Book", inverse: "shelf", isOrdered: true)])

  private static let category = EntityDescription(
    "Category", attributes: [AttributeDescription("name", .string)],
    relationships: [
      .toOne("parent", "Category", inverse: "children"),
      .toMany("children", "Category", inverse: "parent", deleteRule: .cascade),
      .toMany("books", "Book", inverse: "categories"),
    ])

  private static let loan = EntityDescription(
    "Loan", attributes: [AttributeDescription("due", .date)],
    relationships: [
      .toOne("book", "Book", inverse: "loans", isOptional: false),
      .toOne("receipt", "Receipt", inverse: "loan", isOptional: false, deleteRule: .cascade),
    ])

  private static let receipt = EntityDescription(
    "Receipt", attributes: [AttributeDescription("number", .integer64)],
    relationships: [.toOne("loan", "Loan", inverse: "receipt", isOptional: false)])
}
