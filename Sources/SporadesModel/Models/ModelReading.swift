// SPDX-License-Identifier: MIT

/// A model from a file or an archive, and the warnings of the reader.
public struct ModelReading: Sendable {
  /// The model.
  public let model: ManagedObjectModel
  /// The parts that Apple's tools accept and the reader changed or left out. None of them affects the
  /// contents of stores.
  public let warnings: [ModelWarning]

  package init(model: ManagedObjectModel, warnings: [ModelWarning]) {
    self.model = model
    self.warnings = warnings
  }
}
