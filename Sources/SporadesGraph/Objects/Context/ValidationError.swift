// SPDX-License-Identifier: MIT
public import SporadesModel

/// Everything that keeps the objects of a save from satisfying their model.
public struct ValidationError: Error, Sendable {
  public let failures: [Failure]

  /// What Core Data's error would say: the failure's code, or that there are several.
  public var code: Code { failures.count == 1 ? failures[0].code : .multiple }

  public struct Failure: Sendable {
    public let code: Code
    public let objectID: ManagedObjectID
    public let property: String?
    public let detail: String
    /// What an object's own check threw.
    public let underlying: (any Error)?

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

    /// Whether both say the same of the same property.
    func isSame(as other: Failure) -> Bool {
      code == other.code && objectID == other.objectID && property == other.property
        && detail == other.detail
    }
  }

  /// Core Data's numbers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let generic = Code(rawValue: 1550)
    public static let constraint = Code(rawValue: 1551)
    public static let multiple = Code(rawValue: 1560)
    public static let missingMandatoryProperty = Code(rawValue: 1570)
    public static let relationshipLacksMinimumCount = Code(rawValue: 1580)
    public static let relationshipExceedsMaximumCount = Code(rawValue: 1590)
    public static let relationshipDeniedDelete = Code(rawValue: 1600)
    public static let numberTooLarge = Code(rawValue: 1610)
    public static let numberTooSmall = Code(rawValue: 1620)
    public static let dateTooLate = Code(rawValue: 1630)
    public static let dateTooSoon = Code(rawValue: 1640)
    public static let invalidDate = Code(rawValue: 1650)
    public static let stringTooLong = Code(rawValue: 1660)
    public static let stringTooShort = Code(rawValue: 1670)
    public static let stringPatternMatching = Code(rawValue: 1680)
    public static let invalidURI = Code(rawValue: 1690)
  }
}

extension ValidationError: CustomStringConvertible {
  public var description: String {
    failures.map(\.description).joined(separator: "\n")
  }
}

extension ValidationError.Failure: CustomStringConvertible {
  public var description: String {
    let subject = [objectID.description, property].compactMap(\.self)
    return "\(subject.joined(separator: ".")): \(detail)"
  }
}
