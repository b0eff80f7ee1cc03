// SPDX-License-Identifier: MIT
import SporadesModel

/// The rules of a mapping for one entity, without its class.
struct MappingRules: Sendable {
  /// By the names of the property, joined by points.
  var fields: [String: FieldRule] = [:]
  /// The names of properties that no input sets.
  var ignored: Set<String> = []
  /// The format of dates that have no other one.
  var dates: ImportDateFormat?
  /// Only the properties that the mapping names are set.
  var isComplete = false
  /// The first mistake in the mapping.
  var mistake: String?
}

/// The rule of a mapping for one property.
struct FieldRule: Sendable {
  /// The keys or key paths, the first of which that a record has counts; empty for the usual ones.
  var keys: [String] = []
  var dates: ImportDateFormat?
  var transform: (@Sendable (ImportValue) throws -> ImportValue)?
  /// Makes the value of a file, for an export; nil if the mapping does not say how.
  var inverse: (@Sendable (Value) throws -> ImportValue)?
  /// The attributes of the destination that a key names; empty for the usual ones.
  var relatedBy: [String] = []
  var toMany: ToManyRule?
  var missing: MissingTargetRule?
  var nested: MappingRules?
  /// Keys were named in several calls that differ in more than their keys.
  private(set) var mixesKeys = false

  /// Adds keys behind those of earlier calls.
  mutating func take(
    _ keys: [String], dates: ImportDateFormat? = nil,
    transform: (@Sendable (ImportValue) throws -> ImportValue)? = nil,
    inverse: (@Sendable (Value) throws -> ImportValue)? = nil
  ) {
    if !keys.isEmpty, !self.keys.isEmpty {
      // A property has one transform and one format, so it would be that of all keys.
      let hasTransform = transform != nil || self.transform != nil
      let hasOtherDates = dates != nil && self.dates != nil && dates != self.dates
      if hasTransform || hasOtherDates { mixesKeys = true }
    }
    self.keys += keys
    self.dates = dates ?? self.dates
    if let transform { (self.transform, self.inverse) = (transform, inverse) }
  }
}
