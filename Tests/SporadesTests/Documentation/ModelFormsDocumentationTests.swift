// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

/// A namespace, because the other tests have entities of these names too.
private enum Pound {
  @Entity final class Owner: ManagedObject {
    var name: String?
    @Relationship(inverse: \Pet.owner) var pets: Set<Pet>
  }

  @Entity final class Pet: ManagedObject {
    var age: Int16 = 0
    var owner: Owner?
  }
}

@Suite struct ModelFormsDocumentationTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("documentation-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test func modelsComeFromEverywhere() throws {
    let database = folder.appendingPathComponent("Pound.sqlite")
    let service = DALService(sqlite: database, entities: [Pound.Owner.self, Pound.Pet.self])
    service.writeSync { Pound.Pet.create(in: $0).age = 3 }
    try service.close()
    // snippet: model-sources
    let declared = try ManagedObjectModel([Pound.Owner.self, Pound.Pet.self])
    let carried = try ManagedObjectModel.cachedModel(forStoreAt: database)
    // snippet end
    #expect(carried?.versionChecksum == declared.versionChecksum)
    let source = folder.appendingPathComponent("Pound.xcdatamodeld")
    let compiled = folder.appendingPathComponent("Pound.momd")
    // snippet: model-writing
    try declared.write(to: source)  // Pound.xcdatamodeld, for Xcode
    try declared.write(to: compiled)  // Pound.momd, as Xcode compiles it
    let omissions = try declared.write(to: source, replacing: true)
    for omission in omissions { print(omission) }  // what the form cannot hold
    // snippet end
    #expect(omissions.map(\.description) == [])
    // snippet: model-reading
    let read = try ManagedObjectModel(contentsOf: source)
    let versions = try ModelFile.versions(at: source)
    // snippet end
    #expect(read.versionChecksum == declared.versionChecksum && versions.count == 1)
    // snippet: model-versions
    var entities = declared.entities
    entities[1].attributes[0].type = .integer32
    let next = try ManagedObjectModel(entities: entities)
    try ModelFile.add(next, named: "Pound 2", to: source)
    // snippet end
    #expect(try ModelFile.versions(at: source).map(\.isCurrent) == [false, true])
    // snippet: model-differences
    let differences = next.differences(from: declared)
    for sentence in differences.sentences { print(sentence) }
    let isMigrationNeeded = differences.changesVersionHashes
    // snippet end
    #expect(differences.sentences == ["Pet.age: the type changes from Integer16 to Integer32."])
    #expect(isMigrationNeeded)
    // snippet: model-classes
    let swift = try declared.swiftSource(named: "Pound")
    try Data(swift.classes.utf8).write(to: folder.appendingPathComponent("Pound.swift"))
    for omission in swift.omissions { print(omission) }
    // snippet end
    #expect(swift.classes.contains("@Entity final class Owner: ManagedObject {"))
    try FileManager.default.removeItem(at: folder)
  }

  // snippet: model-lock
  @Test func theModelIsTheReleasedOne() throws {
    let lock = VersionLock([
      "Owner 447b1b091833a67a: name String?, pets ->>Pet? inverse owner",
      "Pet d13aa0b6f6004a70: age Integer16, owner ->Owner? inverse pets",
    ])
    try lock.check(ManagedObjectModel([Pound.Owner.self, Pound.Pet.self]))
  }
  // snippet end
}
