// SPDX-License-Identifier: MIT
public import SporadesModel

extension FetchPredicate {
  /// Makes a predicate of a condition of key paths: `FetchPredicate(\User.age > 18)`.
  public init<Object: ManagedObject>(_ condition: TypedPredicate<Object>) {
    self = condition.predicate
  }

  /// Makes the condition that a truth value is true: `FetchPredicate(\User.isActive)`.
  public init<Object: ManagedObject>(_ keyPath: KeyPath<Object, Bool>) {
    self.init(TypedPredicate(keyPath))
  }
}
