// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

/// A property of an entity. Programs make its subclasses.
open class NSPropertyDescription: NSObject, NSCopying {
  /// The entity that declares the property. It ends the program for a property that belongs to none.
  public var entity: NSEntityDescription {
    guard let owner else {
      trap(
        "The property \(name) was asked for its entity, and no entity has it, or the entity is gone. Add it to the properties of an entity."
      )
    }
    return owner
  }
  /// The entity that declares the property; nil for a property that belongs to none.
  weak var owner: NSEntityDescription?
  /// The name by which code, predicates and stores refer to the property.
  public var name: String = "" { didSet { refuseChange() } }
  /// A save accepts an object without a value.
  public var isOptional = true { didSet { refuseChange() } }
  /// No store keeps the value.
  public var isTransient = false { didSet { refuseChange() } }
  /// Notes of the model's author.
  public var userInfo: [AnyHashable: Any]? = [:]
  /// A text that changes the version hash where nothing else changed.
  public var versionHashModifier: String? { didSet { refuseChange() } }
  /// Spotlight may index the value on Apple's platforms.
  public var isIndexedBySpotlight = false { didSet { refuseChange() } }
  /// The store keeps an index of the values.
  public var isIndexed = false { didSet { refuseChange() } }
  /// The store keeps the value in a separate record on Apple's platforms.
  public var isStoredInExternalRecord = false
  /// The conditions that a save checks.
  public private(set) var validationPredicates: [NSPredicate] = []
  /// The warnings of conditions that do not hold.
  public private(set) var validationWarnings: [Any] = []
  var formerName: String?

  public override init() { super.init() }

  /// The name of the property in the former version of the model.
  public var renamingIdentifier: String? {
    get { formerName ?? name }
    set {
      refuseChange()
      formerName = newValue
    }
  }

  /// Sets the conditions that a save checks.
  open func setValidationPredicates(
    _ predicates: [NSPredicate]?, withValidationWarnings warnings: [String]?
  ) {
    refuseChange()
    validationPredicates = predicates ?? []
    validationWarnings = warnings ?? []
  }

  /// The hash of all parts of the property that a store keeps.
  public var versionHash: Data {
    let model = entity.managedObjectModel.built(for: "A model with mistakes has no hashes")
    guard let hash = model.versionHash(ofProperty: name, of: entity.requiredName) else {
      trap(
        "\(description) was asked for its version hash, and no store keeps it. Attributes and relationships have one."
      )
    }
    return Data(hash)
  }

  /// Adds the property to an entity of the library.
  func add(to entity: inout EntityDescription) throws {
    trap(
      "An NSPropertyDescription has no kind. Make an attribute, a relationship or a fetched property."
    )
  }

  /// A copy that belongs to no entity.
  func duplicate() -> Self {
    let copy = Self.fresh()
    copy.copyParts(of: self)
    return copy
  }

  class func fresh() -> Self {
    guard let new = NSPropertyDescription() as? Self else {
      trap("\(Self.self) cannot be copied, because it is a class of the program.")
    }
    return new
  }

  func copyParts(of other: NSPropertyDescription) {
    name = other.name
    isOptional = other.isOptional
    isTransient = other.isTransient
    userInfo = other.userInfo
    versionHashModifier = other.versionHashModifier
    isIndexedBySpotlight = other.isIndexedBySpotlight
    isIndexed = other.isIndexed
    isStoredInExternalRecord = other.isStoredInExternalRecord
    validationPredicates = other.validationPredicates
    validationWarnings = other.validationWarnings
    formerName = other.formerName
  }

  func refuseChange() { owner?.refuseChange() }

  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  /// Properties are equal if they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    if other === self { return true }
    guard other.name == name, Swift.type(of: other) == Swift.type(of: self) else { return false }
    var (left, right) = (EntityDescription("E"), EntityDescription("E"))
    // `try?`: a property with mistakes equals itself alone.
    guard (try? add(to: &left)) != nil, (try? other.add(to: &right)) != nil else { return false }
    return left == right
  }

  open override var hash: Int { name.hashValue }

  open override var description: String { "\(owner?.name ?? "?").\(name)" }
}
