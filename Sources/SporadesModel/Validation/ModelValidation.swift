// SPDX-License-Identifier: MIT

/// Finds everything that is wrong with the contents of a model.
///
/// Rules:
/// 1. Every problem is reported, in the order of the entities and their properties.
/// 2. Contents may be wrong in any way, cyclic inheritance included: validation ends, and never traps.
/// 3. A problem says where it is, what is wrong and what to do.
/// 4. One mistake is one problem: what follows from a missing entity is not reported again.
struct ModelValidation {
  let contents: ManagedObjectModel.Contents
  let lookup: ModelLookup
  var problems: [ModelError.Problem] = []

  init(_ contents: ManagedObjectModel.Contents) {
    self.contents = contents
    lookup = ModelLookup(contents.entities)
  }

  static func problems(of contents: ManagedObjectModel.Contents) -> [ModelError.Problem] {
    var validation = ModelValidation(contents)
    validation.checkEntities()
    for entity in contents.entities {
      for attribute in entity.attributes { validation.check(attribute, of: entity) }
      for relationship in entity.relationships { validation.check(relationship, of: entity) }
      for fetched in entity.fetchedProperties { validation.check(fetched, of: entity) }
      validation.checkConstraints(of: entity)
      validation.checkIndexes(of: entity)
    }
    for (name, members) in contents.configurations.sorted(by: { $0.key < $1.key }) {
      validation.checkConfiguration(name, members)
    }
    for (name, request) in contents.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
      validation.checkTemplate(name, request)
    }
    return validation.problems
  }

  mutating func report(
    _ code: ModelError.Code, _ entity: EntityDescription, _ property: String?, _ detail: String
  ) {
    problems.append(.init(code, entity: entity.name, property: property, detail))
  }

  /// Reports what no single entity is to blame for.
  mutating func report(_ code: ModelError.Code, _ detail: String) {
    problems.append(.init(code, detail))
  }
}
