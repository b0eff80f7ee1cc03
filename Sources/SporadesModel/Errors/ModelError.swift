// SPDX-License-Identifier: MIT

/// Everything that is wrong with a model, all at once.
public struct ModelError: Error, Hashable, Sendable {
  public let problems: [Problem]

  public init(_ problems: [Problem]) { self.problems = problems }

  /// One mistake: what it is, where it is, and what to do.
  public struct Problem: Hashable, Sendable {
    public let code: Code
    public let entity: String?
    public let property: String?
    /// The place in a model file, where the model came from one.
    public let location: SourceLocation?
    public let detail: String

    public init(
      _ code: Code, entity: String? = nil, property: String? = nil,
      location: SourceLocation? = nil, _ detail: String
    ) {
      self.code = code
      self.entity = entity
      self.property = property
      self.location = location
      self.detail = detail
    }
  }

  public struct SourceLocation: Hashable, Sendable {
    public let file: String
    public let line: Int

    public init(file: String, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// What kind of mistake it is.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let missingDestination = Code(rawValue: "missingDestination")
    public static let missingInverse = Code(rawValue: "missingInverse")
    public static let inverseMismatch = Code(rawValue: "inverseMismatch")
    public static let duplicateName = Code(rawValue: "duplicateName")
    public static let reservedName = Code(rawValue: "reservedName")
    public static let invalidName = Code(rawValue: "invalidName")
    public static let missingSuperentity = Code(rawValue: "missingSuperentity")
    public static let inheritanceCycle = Code(rawValue: "inheritanceCycle")
    public static let invalidDefault = Code(rawValue: "invalidDefault")
    public static let invalidBounds = Code(rawValue: "invalidBounds")
    /// A pattern is no regular expression, or one that is not supported.
    public static let invalidPattern = Code(rawValue: "invalidPattern")
    public static let invalidCount = Code(rawValue: "invalidCount")
    public static let unknownProperty = Code(rawValue: "unknownProperty")
    public static let unknownEntity = Code(rawValue: "unknownEntity")
    public static let invalidComposite = Code(rawValue: "invalidComposite")
    public static let invalidDerivation = Code(rawValue: "invalidDerivation")
    public static let invalidPredicate = Code(rawValue: "invalidPredicate")
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A model file is missing or cannot be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// A model file is not well formed, or not a model.
    public static let malformedFile = Code(rawValue: "malformedFile")
  }
}

/// What is odd about a model file that was read all the same: where it is, and what was made of it.
public typealias ModelWarning = ModelError.Problem

extension ModelError: CustomStringConvertible {
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

extension ModelError.Problem: CustomStringConvertible {
  public var description: String {
    let place = location.map { "\($0.file):\($0.line): " } ?? ""
    let subject = [entity, property].compactMap(\.self).joined(separator: ".")
    return place + (subject.isEmpty ? detail : "\(subject): \(detail)")
  }
}
