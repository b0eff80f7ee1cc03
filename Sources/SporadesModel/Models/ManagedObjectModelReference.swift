// SPDX-License-Identifier: MIT
/// A version of a model by its checksum, and the place where the model is found when it is needed.
///
/// A migration in stages names many versions and needs few of them. A reference reads its model at the first use, and
/// keeps it. A model with another checksum is refused.
public final class ManagedObjectModelReference: Sendable {
  /// The checksum that the model must have. Xcode prints it when it compiles the model, `ModelFile.checksums(at:)` reads
  /// it from the compiled model, and a store keeps it under `NSStoreModelVersionChecksumKey`.
  public let versionChecksum: String
  private let find: @Sendable () throws(ModelError) -> Found
  private let known = Guarded<ManagedObjectModel?>(nil)

  /// The models in a place, of which one has the checksum.
  package struct Found {
    let models: [ManagedObjectModel]
    /// The place in an error.
    let place: String

    package init(_ models: [ManagedObjectModel], in place: String) {
      (self.models, self.place) = (models, place)
    }
  }

  /// Refers to a model that is looked for when it is needed.
  package init(
    versionChecksum: String, _ find: @escaping @Sendable () throws(ModelError) -> Found
  ) {
    self.versionChecksum = versionChecksum
    self.find = find
  }

  /// Refers to a model in memory.
  public convenience init(model: ManagedObjectModel, versionChecksum: String) {
    self.init(versionChecksum: versionChecksum) { () throws(ModelError) in
      Found([model], in: "The model")
    }
  }

  /// The model. The first use reads it, and throws if it is not found or has another checksum.
  public var resolvedModel: ManagedObjectModel {
    get throws(ModelError) {
      if let model = known.withLock({ $0 }) { return model }
      let model = try checked(find())
      known.withLock { $0 = model }
      return model
    }
  }

  /// The model with the checksum.
  private func checked(_ found: Found) throws(ModelError) -> ManagedObjectModel {
    let checksums = found.models.map(\.versionChecksum)
    if let index = checksums.firstIndex(of: versionChecksum) { return found.models[index] }
    throw ModelError([
      .init(
        .wrongChecksum,
        "\(found.place) has the checksum \(checksums.joined(separator: ", ")), and the reference asks for "
          + "\(versionChecksum). Restore that version of the model, or correct the reference.")
    ])
  }
}
