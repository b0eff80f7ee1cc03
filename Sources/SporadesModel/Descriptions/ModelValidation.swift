// SPDX-License-Identifier: MIT

/// Finds what is wrong with the contents of a model.
struct ModelValidation {
  private let contents: ManagedObjectModel.Contents

  init(_ contents: ManagedObjectModel.Contents) { self.contents = contents }

  func problems() -> [ModelError.Problem] {
    let names = Set(contents.entities.map(\.name))
    var problems: [ModelError.Problem] = []
    for entity in contents.entities {
      for relationship in entity.relationships
      where !names.contains(relationship.destinationEntityName) {
        problems.append(
          .init(
            .missingDestination, entity: entity.name, property: relationship.name,
            "leads to \(relationship.destinationEntityName), which the model does not have."))
      }
    }
    return problems
  }
}
