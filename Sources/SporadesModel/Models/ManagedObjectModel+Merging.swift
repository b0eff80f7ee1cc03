// SPDX-License-Identifier: MIT

extension ManagedObjectModel {
  /// Makes one model of the entities, configurations and templates of several models.
  ///
  /// Entities and templates with the same name must be equal in all models. A configuration has the
  /// members that it has in any of the models.
  public static func merging(_ models: [ManagedObjectModel]) throws(ModelError)
    -> ManagedObjectModel
  {
    var entities: [EntityDescription] = []
    var indexes: [String: Int] = [:]
    var configurations: [String: [String]] = [:]
    var templates: [String: FetchRequest] = [:]
    var problems: [ModelError.Problem] = []
    for model in models {
      for entity in model.entities {
        if let index = indexes[entity.name] {
          if entities[index] != entity { problems.append(describeDifference(of: entity)) }
        } else {
          indexes[entity.name] = entities.count
          entities.append(entity)
        }
      }
      configurations.merge(model.configurations) { first, second in
        first + second.filter { !first.contains($0) }
      }
      for (name, template) in model.fetchRequestTemplates.inOrder
      where templates.updateValue(template, forKey: name).map({ $0 != template }) == true {
        problems.append(
          .init(
            .duplicateName,
            "The fetch request template \(name) differs between the models; rename one of them."))
      }
    }
    guard problems.isEmpty else { throw ModelError(problems) }
    return try ManagedObjectModel(
      entities: entities, configurations: configurations, fetchRequestTemplates: templates,
      versionIdentifiers: models.reduce(into: []) { $0.formUnion($1.versionIdentifiers) })
  }

  private static func describeDifference(of entity: EntityDescription) -> ModelError.Problem {
    .init(
      .duplicateName, entity: entity.name,
      "differs between the models that are merged; make it the same in both, or rename one.")
  }
}
