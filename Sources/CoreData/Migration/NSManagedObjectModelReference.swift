// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel
import SporadesModelFiles

/// A version of a model by its checksum, and the place where the model is found when it is needed.
public final class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
  // @unchecked: a lock guards the model, which does not change once it is found.

  /// The checksum that the model must have.
  public let versionChecksum: String
  /// The reference of the library.
  let reference: ManagedObjectModelReference
  private let lock = NSLock()
  private var known: NSManagedObjectModel?

  private init(
    _ reference: ManagedObjectModelReference, _ model: NSManagedObjectModel? = nil
  ) {
    self.reference = reference
    versionChecksum = reference.versionChecksum
    known = model
  }

  /// Refers to a model in memory.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    let built = model.built(for: "The model of a reference has mistakes")
    self.init(ManagedObjectModelReference(model: built, versionChecksum: versionChecksum), model)
  }

  /// Refers to a model file. Of several versions in it, the one with the checksum is taken.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(ManagedObjectModelReference(fileURL: fileURL, versionChecksum: versionChecksum))
  }

  /// Refers to a model by its name among the files of a bundle; nil names the program's own.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init(
      ManagedObjectModelReference(
        name: modelName, in: NSManagedObjectModel.folders(of: [bundle ?? Bundle.main]),
        versionChecksum: versionChecksum))
  }

  /// Refers to a model by the version hashes of its entities, among the files of a bundle; nil names the program's own.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String
  ) {
    var hashes: [String: [UInt8]] = [:]
    for case (let name as String, let hash as Data) in versionHash { hashes[name] = Array(hash) }
    self.init(
      ManagedObjectModelReference(
        entityVersionHashes: hashes, in: NSManagedObjectModel.folders(of: [bundle ?? Bundle.main]),
        versionChecksum: versionChecksum))
  }

  /// The model. It ends the program if the model is not found, or has another checksum.
  public var resolvedModel: NSManagedObjectModel {
    do { return try resolved() } catch { trap("\(error)") }
  }

  /// The model. Throws if it is not found, or has another checksum.
  func resolved() throws -> NSManagedObjectModel {
    let model = try reference.resolvedModel
    lock.lock()
    defer { lock.unlock() }
    if let known { return known }
    let new = NSManagedObjectModel(model)
    known = new
    return new
  }
}
