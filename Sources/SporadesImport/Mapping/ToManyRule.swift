// SPDX-License-Identifier: MIT

/// The fate of the members that a to-many relationship has and that its incoming list does not have.
public enum ToManyRule: Hashable, Sendable {
  /// They leave the relationship: afterwards it has the incoming members, in their order if it has one.
  case replace
  /// They stay.
  case add
  /// They are deleted, with their delete rules.
  case deleteMissing
}

/// The treatment of a key that belongs to no object.
public enum MissingTargetRule: Hashable, Sendable {
  /// It refuses the row.
  case refuse
  /// It makes an object that has the key and the defaults of its entity. A later row may complete it.
  case make
  /// It leaves the relationship without the object.
  case ignore
}
