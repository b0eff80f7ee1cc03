// SPDX-License-Identifier: MIT
public import SporadesModel

// The first word of a request: `User.where(\.age > 18).sorted(by: \.name)`.
extension ActiveRecord {
  /// The request for all objects of the class.
  public static var request: TypedRequest<Self> { TypedRequest() }

  /// The request for the objects that satisfy the condition.
  public static func `where`(_ condition: TypedPredicate<Self>) -> TypedRequest<Self> {
    request.where(condition)
  }

  /// The request for the objects that satisfy the predicate.
  @_disfavoredOverload
  public static func `where`(_ predicate: FetchPredicate) -> TypedRequest<Self> {
    request.where(predicate)
  }

  /// The request for the objects whose truth value is true.
  @_disfavoredOverload
  public static func `where`(_ condition: KeyPath<Self, Bool>) -> TypedRequest<Self> {
    request.where(condition)
  }

  /// The request for the objects that satisfy a condition in the format language.
  @_disfavoredOverload
  public static func `where`(_ format: StaticString, _ arguments: Any?...) -> TypedRequest<Self> {
    request.adding(format, arguments)
  }

  /// The request for all objects in the order of attributes.
  public static func sorted(
    by keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>..., ascending: Bool = true
  ) -> TypedRequest<Self> { request.sorted(by: [keyPath] + others, ascending: ascending) }

  /// The request for all objects in the order of terms with a direction each.
  public static func sorted(
    by term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...
  ) -> TypedRequest<Self> { request.sorted(by: [term] + others) }

  /// The request for all objects in the order of names with an optional direction:
  /// `"lastname:NO,firstname"`.
  @_disfavoredOverload
  public static func sorted(by terms: String) -> TypedRequest<Self> { request.sorted(by: terms) }

  /// The request for at most as many objects.
  public static func limit(_ count: Int) -> TypedRequest<Self> { request.limit(count) }
}
