// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation
import SporadesMissingFoundation
import SporadesModel

/// The kind of value that an attribute holds.
public enum NSAttributeType: UInt, Sendable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100

  var type: AttributeType {
    guard let type = AttributeType(rawValue: Int32(rawValue)) else {
      trap("The attribute type \(rawValue) is none that the library knows.")
    }
    return type
  }

  /// The name of Foundation's class for values of the type; nil where the type has none.
  var valueClassName: String? {
    switch self {
    case .undefinedAttributeType, .transformableAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .objectIDAttributeType: "NSManagedObjectID"
    case .compositeAttributeType: "NSDictionary"
    }
  }

  init(_ type: AttributeType) {
    guard let known = NSAttributeType(rawValue: UInt(type.rawValue)) else {
      trap("The attribute type \(type) is none that Core Data knows.")
    }
    self = known
  }
}

/// A value of an entity's objects.
open class NSAttributeDescription: NSPropertyDescription {
  /// The kinds of values, by the names of newer code.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: NSAttributeType
    public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

    public static let undefined = Self(rawValue: .undefinedAttributeType)
    public static let integer16 = Self(rawValue: .integer16AttributeType)
    public static let integer32 = Self(rawValue: .integer32AttributeType)
    public static let integer64 = Self(rawValue: .integer64AttributeType)
    public static let decimal = Self(rawValue: .decimalAttributeType)
    public static let double = Self(rawValue: .doubleAttributeType)
    public static let float = Self(rawValue: .floatAttributeType)
    public static let string = Self(rawValue: .stringAttributeType)
    public static let boolean = Self(rawValue: .booleanAttributeType)
    public static let date = Self(rawValue: .dateAttributeType)
    public static let binaryData = Self(rawValue: .binaryDataAttributeType)
    public static let uuid = Self(rawValue: .UUIDAttributeType)
    public static let uri = Self(rawValue: .URIAttributeType)
    public static let transformable = Self(rawValue: .transformableAttributeType)
    public static let objectID = Self(rawValue: .objectIDAttributeType)
    public static let composite = Self(rawValue: .compositeAttributeType)
  }

  /// The kind of value that the attribute holds.
  public var attributeType: NSAttributeType = .undefinedAttributeType { didSet { refuseChange() } }
  /// The kind of value that the attribute holds.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }
  /// The value of the attribute in a new object.
  public var defaultValue: Any? { didSet { refuseChange() } }
  /// The name of the class of the attribute's values: Foundation's for the type, or the one that the model names for a transformable
  /// attribute.
  public var attributeValueClassName: String? {
    get { ownValueClassName ?? attributeType.valueClassName }
    set {
      refuseChange()
      ownValueClassName = newValue
    }
  }
  private var ownValueClassName: String?
  /// The name of the transformer of a transformable attribute.
  public var valueTransformerName: String? { didSet { refuseChange() } }
  /// The store may keep each large value in a separate file.
  public var allowsExternalBinaryDataStorage = false { didSet { refuseChange() } }
  /// The history keeps the value of a deleted object.
  public var preservesValueInHistoryOnDeletion = false { didSet { refuseChange() } }
  /// CloudKit encrypts the value on Apple's platforms.
  public var allowsCloudEncryption = false
  /// The bounds of an attribute that came out of a model file.
  var validation = AttributeValidation()

  override class func fresh() -> Self {
    guard let new = NSAttributeDescription() as? Self else { return super.fresh() }
    return new
  }

  override func copyParts(of other: NSPropertyDescription) {
    super.copyParts(of: other)
    guard let other = other as? NSAttributeDescription else { return }
    attributeType = other.attributeType
    defaultValue = other.defaultValue
    ownValueClassName = other.ownValueClassName
    valueTransformerName = other.valueTransformerName
    allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = other.allowsCloudEncryption
    validation = other.validation
  }

  override func add(to entity: inout EntityDescription) throws {
    entity.attributes.append(try described())
    if isIndexed { entity.indexes.append(FetchIndexDescription(name, on: name)) }
  }

  /// The attribute as the library has it.
  func described() throws -> AttributeDescription {
    var attribute = AttributeDescription(
      name, attributeType.type, isOptional: isOptional, isTransient: isTransient)
    attribute.defaultValue = try ValueCoding(attributeType.type, transformer: valueTransformerName)
      .value(of: defaultValue, for: "The default value of \(description)")
    attribute.validation = validation
    attribute.validation.predicates += try validationPredicates.map { try $0.condition }
    attribute.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    attribute.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    attribute.isIndexedBySpotlight = isIndexedBySpotlight
    attribute.valueTransformerName = valueTransformerName
    attribute.attributeValueClassName = ownValueClassName
    attribute.userInfo = texts(of: userInfo)
    attribute.versionHashModifier = versionHashModifier
    attribute.renamingIdentifier = formerName
    return attribute
  }

  /// The attribute of the library's description.
  static func reading(_ attribute: AttributeDescription) -> NSAttributeDescription {
    let new: NSAttributeDescription
    if attribute.isDerived {
      new = NSDerivedAttributeDescription(reading: attribute)
    } else if attribute.type == .composite {
      new = NSCompositeAttributeDescription(reading: attribute)
    } else {
      new = NSAttributeDescription()
    }
    new.name = attribute.name
    new.attributeType = NSAttributeType(attribute.type)
    new.isOptional = attribute.isOptional
    new.isTransient = attribute.isTransient
    new.defaultValue = ValueCoding(attribute.type, transformer: attribute.valueTransformerName)
      .plain(attribute.defaultValue)
    new.validation = attribute.validation
    new.allowsExternalBinaryDataStorage = attribute.allowsExternalBinaryDataStorage
    new.preservesValueInHistoryOnDeletion = attribute.preservesValueInHistoryOnDeletion
    new.isIndexedBySpotlight = attribute.isIndexedBySpotlight
    new.valueTransformerName = attribute.valueTransformerName
    new.ownValueClassName = attribute.attributeValueClassName
    new.userInfo = attribute.userInfo
    new.versionHashModifier = attribute.versionHashModifier
    new.formerName = attribute.renamingIdentifier
    return new
  }
}
