// SPDX-License-Identifier: MIT
public import SporadesModel

/// A model as Swift source: classes for its entities, and the model itself in code.
///
/// ```swift
/// let source = try ManagedObjectModel(contentsOf: url).swiftSource(named: "Shop")
/// print(source.classes)   // @Entity final class Customer: ManagedObject { … }
/// ```
///
/// Classes say nearly all of a model. ``omissions`` lists what they do not say. Where ``needsModel`` is true, a part
/// of it counts in version hashes: open stores with the model in code then, and pass the classes beside it.
public struct SwiftSource: Hashable, Sendable {
  /// The file with the classes, and with an enum that lists them and makes their model.
  public let classes: String
  /// The file with the model in code, which says all of it.
  public let model: String
  /// The parts of the model that the classes do not say.
  public let omissions: [ModelWarning]
  /// The classes alone would have other version hashes.
  public let needsModel: Bool
}

extension ManagedObjectModel {
  /// Writes the model as Swift source, for a program that has no use for Xcode's file any more.
  ///
  /// A class has the name that the model gives it, or the entity's. Where Swift has another use for the name, it is
  /// `NameEntity`. Transformable attributes hold `TransformedBytes`; put your own type in its place.
  ///
  /// - Parameter name: The name of the enums in the source: `Shop` makes `Shop` with the classes, and `ShopModel`
  ///   with the model in code.
  public func swiftSource(named name: String) throws(ModelError) -> SwiftSource {
    guard SwiftText.canDeclare(type: name) else {
      throw ModelError([
        .init(
          .invalidName,
          "\"\(name)\" cannot name a type in Swift source; use letters and digits, and no word that Swift "
            + "or the library has.")
      ])
    }
    try checkPredicates()
    var classes = ClassWriter(self, name: name)
    let text = classes.text()
    let code = ModelCodeWriter(self, name: name + "Model").text()
    return SwiftSource(
      classes: text, model: code, omissions: classes.omissions, needsModel: classes.needsModel)
  }

  /// Refuses a predicate that source could not contain.
  package func checkPredicates() throws(ModelError) {
    if let unreadable = predicates.first(where: { $0.readableFormat == nil }) {
      throw ModelError([
        .init(
          .invalidPredicate,
          "The model has the predicate \"\(unreadable)\", which has no text that source could contain;"
            + " remove it.")
      ])
    }
  }

  /// All predicates of the model.
  private var predicates: [FetchPredicate] {
    func conditions(_ attribute: AttributeDescription) -> [FetchPredicate] {
      attribute.validation.predicates + attribute.elements.flatMap(conditions)
    }
    return entities.flatMap { entity in
      entity.attributes.flatMap(conditions) + entity.indexes.compactMap(\.partialIndexPredicate)
        + entity.fetchedProperties.compactMap(\.request.predicate)
    } + fetchRequestTemplates.values.compactMap(\.predicate)
  }
}
