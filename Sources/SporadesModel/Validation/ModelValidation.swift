// SPDX-License-Identifier: MIT

/// Finds all mistakes in the contents of a model.
///
/// Rules:
/// 1. The validation reports every mistake, in the order of the entities and their properties.
/// 2. The validation ends and never traps, whatever the mistake; inheritance may be cyclic, for example.
/// 3. A problem names its entity and property, the mistake, and the remedy.
/// 4. One mistake gives one problem. The validation does not report the consequences of a missing entity.
/// 5. The first hundred problems with a name that nobody has also name the nearest that exists. A hostile
///    model can have many problems, and the search compares each name with all others.
struct ModelValidation {
  let contents: ModelContents
  let lookup: ModelLookup
  var problems: [ModelError.Problem] = []
  private var hintsLeft = 100

  init(_ contents: ModelContents) {
    self.contents = contents
    lookup = ModelLookup(contents.entities)
  }

  static func findProblems(of contents: ModelContents) -> [ModelError.Problem] {
    var validation = ModelValidation(contents)
    validation.checkEntities()
    for entity in contents.entities {
      for attribute in entity.attributes { validation.check(attribute, of: entity) }
      for relationship in entity.relationships { validation.check(relationship, of: entity) }
      for fetched in entity.fetchedProperties { validation.check(fetched, of: entity) }
      validation.checkConstraints(of: entity)
      validation.checkIndexes(of: entity)
    }
    for (name, members) in contents.configurations.inOrder {
      validation.checkConfiguration(name, members)
    }
    for (name, request) in contents.fetchRequestTemplates.inOrder {
      validation.checkTemplate(name, request)
    }
    return validation.problems
  }

  mutating func report(
    _ code: ModelError.Code, _ entity: EntityDescription, _ property: String?, _ detail: String,
    hint: (ModelLookup) -> String = { _ in "" }
  ) {
    problems.append(
      .init(code, entity: entity.name, property: property, detail + limited(hint)))
  }

  /// Reports a problem that belongs to no single entity.
  mutating func report(
    _ code: ModelError.Code, _ detail: String, hint: (ModelLookup) -> String = { _ in "" }
  ) {
    problems.append(.init(code, detail + limited(hint)))
  }

  private mutating func limited(_ hint: (ModelLookup) -> String) -> String {
    guard hintsLeft > 0 else { return "" }
    let hint = hint(lookup)
    if !hint.isEmpty { hintsLeft -= 1 }
    return hint
  }
}
