// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesIndexing

// Each class is @unchecked Sendable as its superclass is. Its own properties are constants of Sendable types.

/// Indexes public articles with the names of all that they are linked to.
class ArticleIndexing: IndexingDelegate, @unchecked Sendable {
  let errors = Log<String>()

  override func attributes(for object: ManagedObject) throws -> IndexAttributes? {
    Self.attributes(of: object)
  }

  static func attributes(of object: ManagedObject) -> IndexAttributes? {
    guard let article = object as? Article else {
      return IndexAttributes(title: (object as? Author)?.name)
    }
    guard article.isPublic else { return nil }
    var attributes = IndexAttributes(title: article.title)
    attributes.text = [article.author?.name, article.author?.publisher?.name]
      .compactMap(\.self).joined(separator: ", ")
    attributes.keywords = article.labels.map(\.name).sorted()
    attributes["remarks"] = .texts(article.remarks.map(\.text).sorted())
    if let guide = article as? Guide { attributes["city"] = .text(guide.city) }
    return attributes
  }

  override func domainIdentifier(for object: ManagedObject) throws -> String? {
    object is Guide ? "guides" : nil
  }

  override func handleError(_ error: any Error) { errors.add("\(error)") }
}

extension ArticleIndexing {
  /// The attributes of all objects of an entity now, by their identifiers.
  static func expected(
    _ service: DALService, _ entity: String = "Article"
  ) throws -> [String: IndexAttributes] {
    try service.readValue { context in
      let pairs = try context.fetch(FetchRequest(entity)).compactMap { object in
        attributes(of: object).map {
          (object.objectID.uriRepresentation().absoluteString, $0)
        }
      }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
  }
}

/// Refuses the first object.
final class Refusing: ArticleIndexing, @unchecked Sendable {
  struct Refusal: Error {}
  override func attributes(for object: ManagedObject) throws -> IndexAttributes? {
    if errors.entries.isEmpty { throw Refusal() }
    return try super.attributes(for: object)
  }
}

/// Counts the objects in the context of each object.
final class Measuring: ArticleIndexing, @unchecked Sendable {
  let counts = Log<Int>()
  override func attributes(for object: ManagedObject) throws -> IndexAttributes? {
    counts.add(object.managedObjectContext?.registeredObjects.count ?? 0)
    return try super.attributes(for: object)
  }
}

/// Makes attributes in a newer way.
final class Newer: ArticleIndexing, @unchecked Sendable {
  override var version: Int { 2 }
}

/// Puts all articles into the index again when a label changes.
final class Affecting: ArticleIndexing, @unchecked Sendable {
  override var wantsAllChanges: Bool { true }
  override func affectedObjects(
    by changes: [PersistentHistoryChange], in context: ManagedObjectContext
  ) throws -> [ManagedObjectID] {
    guard changes.contains(where: { $0.changedObjectID.entityName == "Label" }) else {
      return []
    }
    return try Article.all(in: context).map(\.objectID)
  }
}
