// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.1 of the inventory: models. A line that compiles shows that a name has Apple's signature.
@Suite struct InventoryModelTests {
  let model = Notes.model()

  @Test func modelsComeFromCodeFilesAndOtherModels() throws {
    let _: NSManagedObjectModel = NSManagedObjectModel()
    let _: (URL) -> NSManagedObjectModel? = NSManagedObjectModel.init(contentsOf:)
    let _: ([NSManagedObjectModel]?) -> NSManagedObjectModel? = NSManagedObjectModel.init(
      byMerging:)
    let _: ([NSManagedObjectModel], [String: Any]) -> NSManagedObjectModel? =
      NSManagedObjectModel.init(byMerging:forStoreMetadata:)
    let _: ([Bundle]?) -> NSManagedObjectModel? = NSManagedObjectModel.mergedModel(from:)
    let _: ([Bundle]?, [String: Any]) -> NSManagedObjectModel? =
      NSManagedObjectModel.mergedModel(from:forStoreMetadata:)
    #expect(NSManagedObjectModel().entities.isEmpty)
    #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/none.mom")) == nil)
    let merged = try #require(NSManagedObjectModel(byMerging: [model]))
    #expect(merged == model && merged !== model)
    let hashes: [String: Any] = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
    #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: hashes) == model)
    #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: [:]) == nil)
  }

  @Test func entitiesAreListedAndNamed() {
    let entities: [NSEntityDescription] = model.entities
    let byName: [String: NSEntityDescription] = model.entitiesByName
    #expect(entities.map(\.name) == ["Note", "Folder", "Tag"])
    #expect(Set(byName.keys) == ["Note", "Folder", "Tag"])
    let other = NSManagedObjectModel()
    other.entities = []
    #expect(other.entitiesByName.isEmpty)
  }

  @Test func configurationsNameEntities() {
    let _: (NSManagedObjectModel) -> (String?) -> [NSEntityDescription]? =
      NSManagedObjectModel.entities(forConfigurationName:)
    let _: (NSManagedObjectModel) -> ([NSEntityDescription], String) -> Void =
      NSManagedObjectModel.setEntities(_:forConfigurationName:)
    model.setEntities([model.entities[0]], forConfigurationName: "Cloud")
    let names: [String] = model.configurations
    #expect(names == ["Cloud"])
    #expect(model.entities(forConfigurationName: "Cloud")?.map(\.name) == ["Note"])
    #expect(model.entities(forConfigurationName: nil)?.count == 3)
    #expect(model.entities(forConfigurationName: "None") == nil)
  }

  @Test func templatesAreFilledIn() throws {
    typealias Request = NSFetchRequest<any NSFetchRequestResult>
    let _: (NSManagedObjectModel) -> (Request?, String) -> Void =
      NSManagedObjectModel.setFetchRequestTemplate(_:forName:)
    let _: (NSManagedObjectModel) -> (String) -> Request? =
      NSManagedObjectModel.fetchRequestTemplate(forName:)
    let _: (NSManagedObjectModel) -> (String, [String: Any]) -> Request? =
      NSManagedObjectModel.fetchRequestFromTemplate(withName:substitutionVariables:)
    let request = Request(entityName: "Note")
    request.predicate = NSPredicate(format: "title = $TITLE")
    model.setFetchRequestTemplate(request, forName: "byTitle")
    let templates: [String: Request] = model.fetchRequestTemplatesByName
    #expect(templates.keys.sorted() == ["byTitle"])
    #expect(model.fetchRequestTemplate(forName: "byTitle") === request)
    let filled = try #require(
      model.fetchRequestFromTemplate(
        withName: "byTitle", substitutionVariables: ["TITLE": "A"]))
    #expect(filled.predicate == NSPredicate(format: "title = 'A'"))
    #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
  }

  @Test func versionsHaveIdentifiersHashesAndChecksums() {
    let _: (NSManagedObjectModel) -> (String?, [String: Any]) -> Bool =
      NSManagedObjectModel.isConfiguration(withName:compatibleWithStoreMetadata:)
    let _: (URL) throws -> [String: String] = NSManagedObjectModel.checksumsForVersionedModel(at:)
    #expect(model.localizationDictionary == nil)
    model.localizationDictionary = ["Entity/Note": "Notiz"]
    let words: [String: String]? = model.localizationDictionary
    #expect(words == ["Entity/Note": "Notiz"])
    model.versionIdentifiers = ["1.0"]
    let identifiers: Set<AnyHashable> = model.versionIdentifiers
    #expect(identifiers == ["1.0"])
    let hashes: [String: Data] = model.entityVersionHashesByName
    #expect(hashes.count == 3 && hashes.values.allSatisfy { $0.count == 32 })
    let checksum: String = model.versionChecksum
    #expect(Data(base64Encoded: checksum)?.count == 32)
    let metadata: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    #expect(throws: (any Error).self) {
      try NSManagedObjectModel.checksumsForVersionedModel(at: URL(fileURLWithPath: "/none.momd"))
    }
  }

  /// On Linux, `Bundle.allBundles` is empty.
  @Test func noBundlesAreTheProgramsOwn() {
    let own = NSManagedObjectModel.mergedModel(from: nil)
    #expect(NSManagedObjectModel.mergedModel(from: Bundle.allBundles) == own)
    #expect(NSManagedObjectModel.mergedModel(from: []) == own)
  }

  @Test func aModelIsCopied() throws {
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy == model && copy.hash == model.hash)
    copy.entities = []
    #expect(copy != model)
  }

  @Test func storesCarryTheirModel() throws {
    let _: (URL, [AnyHashable: Any]?) throws -> NSManagedObjectModel? =
      NSManagedObjectModel.cachedModelForPersistentStore(at:options:)
    let _: (URL, [AnyHashable: Any]?) throws -> NSManagedObjectModel =
      NSPersistentStoreCoordinator.cachedModelForPersistentStore(at:options:)
    let folder = try TemporaryFolder()
    let url = folder.file("notes.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    let carried = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    #expect(carried.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test func referencesFindTheirModel() {
    let _: (NSManagedObjectModel, String) -> NSManagedObjectModelReference =
      NSManagedObjectModelReference.init(model:versionChecksum:)
    let _: (URL, String) -> NSManagedObjectModelReference = NSManagedObjectModelReference.init(
      fileURL:versionChecksum:)
    let _: ([AnyHashable: Any], Bundle?, String) -> NSManagedObjectModelReference =
      NSManagedObjectModelReference.init(entityVersionHashes:in:versionChecksum:)
    let _: (String, Bundle?, String) -> NSManagedObjectModelReference =
      NSManagedObjectModelReference.init(name:in:versionChecksum:)
    let reference = NSManagedObjectModelReference(
      model: model, versionChecksum: model.versionChecksum)
    let resolved: NSManagedObjectModel = reference.resolvedModel
    let checksum: String = reference.versionChecksum
    #expect(resolved === model && checksum == model.versionChecksum)
  }
}
