// SPDX-License-Identifier: MIT
public import SporadesModel

/// A model from a file, and the warnings of the reader.
public struct ModelReading: Sendable {
  /// The model.
  public let model: ManagedObjectModel
  /// The parts of the file that Xcode accepts and the reader changed or left out. None of them affects the
  /// contents of stores.
  public let warnings: [ModelWarning]
}
