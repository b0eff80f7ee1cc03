// SPDX-License-Identifier: MIT

/// The parts of a model before anybody has checked that they fit together.
struct ModelContents: Hashable, Sendable {
  let entities: [EntityDescription]
  let configurations: [String: [String]]
  let fetchRequestTemplates: [String: FetchRequest]
  let versionIdentifiers: Set<String>
}
