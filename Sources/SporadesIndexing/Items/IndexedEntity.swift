// SPDX-License-Identifier: MIT
public import SporadesGraph

/// An entity whose objects go into an outside index, with its subentities.
public struct IndexedEntity: Sendable {
  enum Subject: Sendable {
    case name(String)
    case type(ManagedObject.Type)
  }

  let subject: Subject
  /// The key paths to properties of other objects that are parts of the attributes: `"author.name"`, `"tags.name"`. A change
  /// of such a property brings the objects that lead to it into the index again.
  public let following: [String]

  /// Names an entity.
  public init(_ name: String, following: [String] = []) {
    subject = .name(name)
    self.following = following
  }

  /// Names the entity of a class.
  public init(_ type: ManagedObject.Type, following: [String] = []) {
    subject = .type(type)
    self.following = following
  }
}

extension IndexedEntity: ExpressibleByStringLiteral {
  /// Names an entity.
  public init(stringLiteral name: String) { self.init(name) }
}
