// SPDX-License-Identifier: MIT

/// All mistakes of a model together.
public struct ModelError: DescribedError, Hashable, Sendable {
  /// The mistakes, in the order of the entities and their properties.
  public let problems: [Problem]

  /// Collects mistakes into one error.
  public init(_ problems: [Problem]) { self.problems = problems }

  /// One mistake: its kind, its entity and property, and the remedy.
  public struct Problem: Hashable, Sendable {
    /// The kind of mistake, to branch on.
    public let code: Code
    /// The name of the entity with the mistake; nil if the mistake belongs to no single entity.
    public let entity: String?
    /// The name of the property with the mistake; nil if the mistake belongs to no single property.
    public let property: String?
    /// The line of the model file with the mistake; nil if the model came from code.
    public let location: SourceLocation?
    /// A sentence for people that names the mistake and the remedy.
    public let detail: String

    /// Describes one mistake.
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

  /// A line of a model file.
  public struct SourceLocation: Hashable, Sendable {
    /// The path of the file.
    public let file: String
    /// The number of the line, from 1.
    public let line: Int

    /// Names a line of a file.
    public init(file: String, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// The kind of a mistake.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A relationship leads to an entity that the model does not have.
    public static let missingDestination = Code(rawValue: "missingDestination")
    /// A relationship names an inverse that the destination does not have.
    public static let missingInverse = Code(rawValue: "missingInverse")
    /// A relationship names an inverse that does not name it back.
    public static let inverseMismatch = Code(rawValue: "inverseMismatch")
    /// Several relationships of a class could be the inverse, and no declaration names one.
    public static let ambiguousInverse = Code(rawValue: "ambiguousInverse")
    /// Two parts of the model have the same name.
    public static let duplicateName = Code(rawValue: "duplicateName")
    /// A name belongs to every table or to every managed object.
    public static let reservedName = Code(rawValue: "reservedName")
    /// A name is empty, or has characters that a name cannot have.
    public static let invalidName = Code(rawValue: "invalidName")
    /// An entity inherits from an entity that the model does not have.
    public static let missingSuperentity = Code(rawValue: "missingSuperentity")
    /// An entity inherits from itself.
    public static let inheritanceCycle = Code(rawValue: "inheritanceCycle")
    /// The default value does not fit the type of its attribute.
    public static let invalidDefault = Code(rawValue: "invalidDefault")
    /// Bounds do not fit the type of their attribute, or no value satisfies them.
    public static let invalidBounds = Code(rawValue: "invalidBounds")
    /// A pattern is not a regular expression that the library supports.
    public static let invalidPattern = Code(rawValue: "invalidPattern")
    /// A count or limit is negative or too large, or its bounds contradict each other.
    public static let invalidCount = Code(rawValue: "invalidCount")
    /// A constraint or index names a property that it cannot use.
    public static let unknownProperty = Code(rawValue: "unknownProperty")
    /// A request or configuration names an entity that the model does not have.
    public static let unknownEntity = Code(rawValue: "unknownEntity")
    /// A composite attribute is empty or contains itself, or an attribute of another type has elements.
    public static let invalidComposite = Code(rawValue: "invalidComposite")
    /// The library cannot compute a derived attribute from its expression.
    public static let invalidDerivation = Code(rawValue: "invalidDerivation")
    /// The library cannot read a predicate of the model.
    public static let invalidPredicate = Code(rawValue: "invalidPredicate")
    /// An option stands on a property for which it has no meaning.
    public static let misplacedOption = Code(rawValue: "misplacedOption")
    /// A property of a class has a type that no property of its kind can have.
    public static let unsupportedType = Code(rawValue: "unsupportedType")
    /// The model has more entities, or nests them deeper, than the library supports.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The model has another checksum than the one that was asked for.
    public static let wrongChecksum = Code(rawValue: "wrongChecksum")
    /// The model file is missing, or the library cannot read it.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// The model file is not well-formed XML, or describes no model.
    public static let malformedFile = Code(rawValue: "malformedFile")
    /// A model file has no form for a text of the model.
    public static let unwritableText = Code(rawValue: "unwritableText")
    /// The model file cannot be written, or something else lies in its place.
    public static let unwritableFile = Code(rawValue: "unwritableFile")
  }
}

/// A part of a model file that the reader could not take as it stands. The reader kept the model and
/// says how it read the part.
public typealias ModelWarning = ModelError.Problem

extension ModelError {
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

extension ModelError.Problem: CustomStringConvertible {
  public var description: String {
    let position = location.map { "\($0.file):\($0.line): " } ?? ""
    let subject = [entity, property].compactMap(\.self).joined(separator: ".")
    return position + (subject.isEmpty ? detail : "\(subject): \(detail)")
  }
}
