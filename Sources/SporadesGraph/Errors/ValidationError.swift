// SPDX-License-Identifier: MIT
public import SporadesModel

/// The reasons why the objects of a save do not satisfy their model.
public struct ValidationError: DescribedError, Sendable {
  /// The failures, one for each rule that an object breaks.
  public let failures: [Failure]
  /// Whether the context's save before was refused because of one of these objects, too.
  private(set) var isRepeated = false

  /// Core Data's code for the error: the code of the only failure, or `multiple`.
  public var code: Code { failures.count == 1 ? failures[0].code : .multiple }

  /// One rule of the model that one object breaks.
  public struct Failure: Sendable {
    /// The kind of rule, with Core Data's number.
    public let code: Code
    /// The object that breaks the rule.
    public let objectID: ManagedObjectID
    /// The property that breaks the rule; nil if the rule concerns the whole object.
    public let property: String?
    /// The sentence that follows the names of the object and the property.
    public let detail: String
    /// The error that an object's own check threw.
    public let underlying: (any Error)?

    /// Makes a failure, for an object's own check to throw in a `ValidationError`.
    public init(
      _ code: Code, _ objectID: ManagedObjectID, property: String? = nil, _ detail: String,
      underlying: (any Error)? = nil
    ) {
      self.code = code
      self.objectID = objectID
      self.property = property
      self.detail = detail
      self.underlying = underlying
    }

    /// Whether both failures report the same about the same property.
    func isSame(as other: Failure) -> Bool {
      code == other.code && objectID == other.objectID && property == other.property
        && detail == other.detail
    }
  }

  /// The kind of a failure, with Core Data's numbers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// Core Data's number.
    public let rawValue: Int
    /// Makes a code from Core Data's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// An object's own check, or a predicate of the model, refused the object.
    public static let generic = Code(rawValue: 1550)
    /// A value that must be unique is taken.
    public static let constraint = Code(rawValue: 1551)
    /// The error has several failures.
    public static let multiple = Code(rawValue: 1560)
    /// A required property has no value.
    public static let missingMandatoryProperty = Code(rawValue: 1570)
    /// A relationship leads to too few objects.
    public static let relationshipLacksMinimumCount = Code(rawValue: 1580)
    /// A relationship leads to too many objects.
    public static let relationshipExceedsMaximumCount = Code(rawValue: 1590)
    /// A delete rule denies the deletion.
    public static let relationshipDeniedDelete = Code(rawValue: 1600)
    /// A number is above the maximum.
    public static let numberTooLarge = Code(rawValue: 1610)
    /// A number is below the minimum.
    public static let numberTooSmall = Code(rawValue: 1620)
    /// A date is after the latest date allowed.
    public static let dateTooLate = Code(rawValue: 1630)
    /// A date is before the earliest date allowed.
    public static let dateTooSoon = Code(rawValue: 1640)
    /// A date is not valid.
    public static let invalidDate = Code(rawValue: 1650)
    /// A text has too many characters.
    public static let stringTooLong = Code(rawValue: 1660)
    /// A text has too few characters.
    public static let stringTooShort = Code(rawValue: 1670)
    /// A text does not match the pattern.
    public static let stringPatternMatching = Code(rawValue: 1680)
    /// A URI is not valid.
    public static let invalidURI = Code(rawValue: 1690)
  }
}

extension ValidationError {
  public var description: String {
    failures.map(\.description).joined(separator: "\n")
      + (isRepeated
        ? "\nThe context still has an object that its last save refused, so nothing is saved. Correct or delete the object, or "
          + "call rollback(), and save again." : "")
  }
}

extension ValidationError.Failure: CustomStringConvertible {
  public var description: String {
    let subject = [objectID.description, property].compactMap(\.self)
    return "\(subject.joined(separator: ".")): \(detail)"
  }
}
