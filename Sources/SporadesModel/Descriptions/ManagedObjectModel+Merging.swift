// SPDX-License-Identifier: MIT

extension ManagedObjectModel {
  /// One model of the entities, configurations and templates of several.
  ///
  /// What two models share must be the same in both. A configuration of several models has the
  /// members it has in any.
  public static func merging(_ models: [ManagedObjectModel]) throws(ModelError)
    -> ManagedObjectModel
  {
    var entities: [EntityDescription] = []
    var places: [String: Int] = [:]
    var configurations: [String: [String]] = [:]
    var templates: [String: FetchRequest] = [:]
    var problems: [ModelError.Problem] = []
    for model in models {
      for entity in model.entities {
        if let place = places[entity.name] {
          if entities[place] != entity { problems.append(difference(entity)) }
        } else {
          places[entity.name] = entities.count
          entities.append(entity)
        }
      }
      configurations.merge(model.configurations) { first, second in
        first + second.filter { !first.contains($0) }
      }
      for (name, template) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key })
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

  private static func difference(_ entity: EntityDescription) -> ModelError.Problem {
    .init(
      .duplicateName, entity: entity.name,
      "differs between the models that are merged; make it the same in both, or rename one.")
  }
}
