// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesStore

/// The differences between the version that wrote a store and a version of a model, for errors.
package struct VersionComparison {
  /// The names of the entities that differ.
  package let names: [String]
  /// The differences that change version hashes, each in a sentence, if the store carries its model.
  package let sentences: [String]
  private let lists: String

  /// `former` is the model that the store carries.
  package init(
    of metadata: [String: MetadataValue], carrying former: ManagedObjectModel?,
    with version: ManagedObjectModel, _ configuration: String?
  ) {
    let compatibility = StoreCompatibility(
      of: metadata, with: version, configuration: configuration)
    names = compatibility.names
    if case .different(let difference) = compatibility {
      lists = difference.description(store: "the store", model: "that version")
      sentences = former.map { difference.sentences(of: version.differences(from: $0)) } ?? []
    } else {
      lists = "in nothing that is stored"
      sentences = []
    }
  }

  /// The entities that differ, and the first differences.
  package var text: String {
    let listed = StoreCompatibility.Difference.listed(sentences)
    return lists + "." + (listed.isEmpty ? "" : " \(listed)")
  }
}
