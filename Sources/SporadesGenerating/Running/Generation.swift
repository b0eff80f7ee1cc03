// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesModelFiles

/// The files that a generator makes of a model, and remarks about parts of the model that they leave out.
package struct Generation: Sendable {
  /// The name of the model in Swift.
  package let model: String
  package let files: [GeneratedFile]
  package let remarks: [String]

  /// Makes the files of a model.
  ///
  /// - Parameter name: The name of the model's file. It becomes the name of the enum with the model.
  package init(
    of model: ManagedObjectModel, named name: String, _ options: GenerationOptions
  ) throws {
    if let base = options.baseClass, !NameCheck.isType(base) {
      throw GenerationError(
        ["\(SwiftText.literal(base)) names no class in Swift."], isMistake: true)
    }
    let part = try Self.part(model, options)
    let name = ModelName.identifier(name, beside: model)
    switch options.form {
    case .entity:
      let form = try EntityForm(part, name, options)
      try self.init(name, files: form.files(), remarks: form.remarks)
    case .managed:
      let form = try ManagedForm(part, name, options)
      try self.init(name, files: form.files(), remarks: form.remarks)
    }
  }

  /// Sorts the files. Two files of one name, which some disks do not tell apart, are refused.
  private init(_ model: String, files: [GeneratedFile], remarks: [String]) throws(GenerationError) {
    let groups = Dictionary(grouping: files) { $0.name.lowercased() }
    if let names = groups.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key })?.value {
      throw GenerationError([
        "Two files would have the name \(names[0].name). Choose other names for the classes in the model."
      ])
    }
    self.model = model
    self.files = files.sorted { $0.name < $1.name }
    self.remarks = remarks
  }

  /// The part of the model that the configuration names.
  private static func part(
    _ model: ManagedObjectModel, _ options: GenerationOptions
  ) throws -> ManagedObjectModel {
    guard let configuration = options.configuration else { return model }
    guard let entities = model.entities(inConfiguration: configuration) else {
      let known = model.configurations.keys.sorted()
      let list = known.isEmpty ? "It has none." : "It has \(known.joined(separator: ", "))."
      let near = NearNames(configuration, among: known).nearest
      throw GenerationError(
        [
          "The model has no configuration \(configuration). "
            + (near.map { "Did you mean \($0)?" } ?? list)
        ], isMistake: true)
    }
    let names = Set(entities.map(\.name))
    let templates = model.fetchRequestTemplates.filter { names.contains($0.value.entityName) }
    do {
      return try ManagedObjectModel(
        entities: entities, configurations: [configuration: entities.map(\.name)],
        fetchRequestTemplates: templates, versionIdentifiers: model.versionIdentifiers)
    } catch {
      throw GenerationError(
        ["The entities of the configuration \(configuration) need others:"]
          + error.problems.map(\.description))
    }
  }

  /// Makes one file with the classes of a model, and remarks about parts of the model that it leaves out.
  package static func singleFile(
    of model: ManagedObjectModel, named name: String
  ) throws -> (file: GeneratedFile, remarks: [String]) {
    let form = try EntityForm(
      model, ModelName.identifier(name, beside: model), GenerationOptions())
    return (form.singleFile(), form.remarks)
  }
}
