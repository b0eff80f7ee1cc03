// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

/// An object that a search found, and where in its texts.
public struct SearchHit<Object: ManagedObject> {
  /// The object.
  public let object: Object
  /// How well the object answers the search. A larger number is better; numbers of one search in one store compare.
  public let rank: Double
  let query: SearchQuery

  /// The parts of a text that the search found, in order, to be marked where the text is shown.
  public func ranges<Content: TextAttribute>(
    in keyPath: KeyPath<Object, Content>
  ) throws -> [Range<String.Index>] {
    let (name, text) = try text(at: keyPath)
    return query.ranges(in: text, column: query.columns.contains(name) ? name : nil)
  }

  /// The part of a text with the most words of the search. It has at most so many words.
  public func snippet<Content: TextAttribute>(
    of keyPath: KeyPath<Object, Content>, length: Int = 16
  ) throws -> SearchSnippet {
    let (name, text) = try text(at: keyPath)
    let column = query.columns.contains(name) ? name : nil
    return query.snippet(of: text, column: column, length: length)
  }

  private func text<Content: TextAttribute>(
    at keyPath: KeyPath<Object, Content>
  ) throws -> (name: String, text: String) {
    let name = try keyPath.storedNames().joined(separator: ".")
    switch object[keyPath: keyPath] {
    case let text as String: return (name, text)
    default: return (name, "")
    }
  }
}
