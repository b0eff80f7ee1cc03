// SPDX-License-Identifier: MIT
import SporadesModel

/// The problems of a model, each as `code Entity.property`.
func problems(
  _ entities: EntityDescription..., configurations: [String: [String]] = [:],
  templates: [String: FetchRequest] = [:]
) -> [String] {
  do throws(ModelError) {
    _ = try ManagedObjectModel(
      entities: entities, configurations: configurations, fetchRequestTemplates: templates)
    return []
  } catch {
    return error.problems.map { problem in
      let place = [problem.entity, problem.property].compactMap(\.self).joined(separator: ".")
      return place.isEmpty ? problem.code.rawValue : "\(problem.code.rawValue) \(place)"
    }
  }
}

extension AttributeDescription {
  /// A copy of the attribute with a change.
  func with(_ change: (inout AttributeDescription) -> Void) -> AttributeDescription {
    var copy = self
    change(&copy)
    return copy
  }

  static func derived(_ name: String, _ type: AttributeType, _ expression: String) -> Self {
    AttributeDescription(name, type).with { $0.derivationExpression = expression }
  }

  static func composite(_ name: String, _ elements: AttributeDescription...) -> Self {
    AttributeDescription(name, .composite).with { $0.elements = elements }
  }
}

extension RelationshipDescription {
  func with(_ change: (inout RelationshipDescription) -> Void) -> RelationshipDescription {
    var copy = self
    change(&copy)
    return copy
  }
}
