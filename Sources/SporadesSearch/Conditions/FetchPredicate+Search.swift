// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

extension FetchPredicate {
  /// The condition that a search finds the object, in all its searchable texts or in those with the names.
  public static func search(_ search: Search, in names: [String]? = nil) -> FetchPredicate {
    .open(OpenCondition(SearchMeaning(search, in: names), [.subject]))
  }

  /// The predicate whose searches look into the texts.
  func searchingTexts() -> FetchPredicate {
    switch self {
    case .and(let parts): .and(parts.map { $0.searchingTexts() })
    case .open(let condition):
      (condition.meaning as? SearchMeaning).map {
        .open(OpenCondition($0.inTexts, condition.operands))
      } ?? self
    default: self
    }
  }
}

extension TypedPredicate {
  /// The condition that a search finds the object in one of its searchable texts.
  public static func search(_ search: Search) -> TypedPredicate<Object> {
    TypedPredicate(.search(search))
  }
}

/// The search on the right side of a condition on a text: `\.text ~= .search("green ham*")`.
public struct TextSearch: Hashable, Sendable {
  let search: Search

  /// The words of a search.
  public static func search(_ search: Search) -> TextSearch { TextSearch(search: search) }
}

/// The condition that a search finds the object in the text. The text is a searchable attribute, or one that to-one
/// relationships lead to: `\.author?.name ~= .search("smith")`.
public func ~= <Object: ManagedObject, Content: TextAttribute>(
  keyPath: KeyPath<Object, Content>, search: TextSearch
) -> TypedPredicate<Object> {
  do {
    let names = try keyPath.storedNames()
    return TypedPredicate(
      .open(
        OpenCondition(
          SearchMeaning(search.search, in: names.suffix(1)), [.object(before: names)])))
  } catch {
    return TypedPredicate(
      .comparison(.init(.refused(error), .contains, .constant(.string(search.search.typed)))))
  }
}

extension FetchExpression {
  /// The object whose attribute is the last of the names: `SELF`, `author`, `$a`.
  static func object(before names: [String]) -> FetchExpression {
    switch names.count {
    case 1: .subject
    case 2 where names[0].hasPrefix("$"): .variable(String(names[0].dropFirst()))
    default: .keyPath(Array(names.dropLast()))
    }
  }
}

extension ActiveRecord {
  /// The request for the objects that a search finds: `Article.search("green ham*").sorted(by: \.date)`.
  public static func search(_ search: Search) -> TypedRequest<Self> {
    request.where(TypedPredicate<Self>.search(search))
  }
}

extension TypedRequest {
  /// Asks for the objects that a search finds, too.
  public func search(_ search: Search) -> Self { self.where(TypedPredicate<Object>.search(search)) }
}
