// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesArchives
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import Testing

/// A store of Apple's frameworks is read with the model it carries within itself.
@Suite(.enabled(if: StoreFixture.areThere, "needs the fixtures"))
struct CachedModelTests {
  @Test func everyStoreSinceIOS9CarriesAModel() { #expect(StoreFixture.carriers.count == 18) }

  @Test(arguments: StoreFixture.carriers)
  func hasTheHashesOfTheStore(_ path: String) throws {
    let url = URL(fileURLWithPath: StoreFixture.root + "/stores/" + path)
    let model = try #require(try ManagedObjectModel.cachedModel(forStoreAt: url))
    guard
      case .dictionary(let stored)? = try SQLiteStore.metadata(ofStoreAt: url)[
        "NSStoreModelVersionHashes"]
    else {
      Issue.record("\(path) has no hashes")
      return
    }
    let hashes = stored.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
    #expect(hashes.count == stored.count)
    let differing = hashes.keys.filter { model.entityVersionHashesByName[$0] != hashes[$0] }
    #expect(differing.sorted() == [])
  }

  /// Stores whose program had another edition of the model than the one in its repository, with the same hashes.
  private static let otherEditions = ["SampleStore2.0", "/Moody.moody"]

  /// The model in the file and the model in Xcode's file are the same, but for what archives leave out.
  @Test(
    arguments: StoreFixture.all.filter { fixture in
      StoreFixture.carriers.contains { fixture.name.hasSuffix($0) }
        && !otherEditions.contains { fixture.name.contains($0) }
    })
  func equalsXcodesModel(_ fixture: StoreFixture) throws {
    let url = URL(fileURLWithPath: fixture.path)
    let model = try #require(try ManagedObjectModel.cachedModel(forStoreAt: url))
    for entity in fixture.model.entities {
      #expect(model.entitiesByName[entity.name]?.inArchivedForm == entity.inArchivedForm)
    }
    #expect(model.entities.count == fixture.model.entities.count)
    #expect(model.configurations == fixture.model.configurations)
  }

  /// The forms that only older tools wrote.
  private static let older: Set = [
    "NSManagedObjectModel.NSVersionIdentifiers: NSMutableSet, NSSet",
    "NSEntityDescription.NSSubentities: nothing, NSMutableDictionary",
    "NSEntityDescription.NSUniqueTuples: NSArray, NSMutableArray",
    "NSEntityDescription.NSCompoundIndexes: NSArray, NSMutableArray",
    "NSEntityDescription.NSFetchIndexDescriptions: no field, a field",
    "NSEntityDescription.NSProperties: _NSPropertyDescriptionProxy, NSAttributeDescription",
    "NSEntityDescription.NSProperties: _NSPropertyDescriptionProxy, NSRelationshipDescription",
    "NSAttributeDescription.NSIsIndexed: a field, no field",
    "NSAttributeDescription.NSDefaultValue: 0, false",
    "NSAttributeDescription.NSDefaultValue: 1, true",
  ]
  /// The parts that we do not keep: instances of a program's classes, notes that are no texts, and a field that
  /// real archives show and whose meaning is not known.
  private static let lost: Set = [
    "NSAttributeDescription.NSDefaultValue: CoreDataPlus_Tests.Cover, nothing",
    "NSFetchRequest.NSAllocationType: a field, no field",
    "NSAttributeDescription.NSUserInfo: a field, no field", "NSAttributeDescription._P: 187, 251",
  ]

  /// A program's own conditions, one of which bounds lengths and has become such bounds.
  private static let conditions: Set = [
    "NSAttributeDescription.NSValidationPredicates: NSArray, NSMutableArray",
    "NSAttributeDescription.NSValidationPredicates: NSCompoundPredicate, NSComparisonPredicate",
    "NSAttributeDescription.NSValidationWarnings: NSArray, NSMutableArray",
    "NSAttributeDescription.NSValidationWarnings: Title must contain 'title'., 1660",
    "NSAttributeDescription.NSValidationWarnings: Title must have a length between 3 and 50 chars., 1670",
    "NSComparisonPredicate.NSLeftExpression: NSSelfExpression, NSKeyPathExpression",
    "NSComparisonPredicate.NSPredicateOperator: NSInPredicateOperator, NSComparisonPredicateOperator",
    "NSConstantValueExpression.NSConstantValue: title, 50",
  ]

  /// The archive that we make of a store's model equals the one in the store, object by object.
  ///
  /// Photos has indexes over to-many relationships, which no store keeps and we leave out.
  @Test(arguments: StoreFixture.carriers)
  func archivedAnewItIsTheSame(_ path: String) throws {
    let url = URL(fileURLWithPath: StoreFixture.root + "/stores/" + path)
    let model = try #require(try ManagedObjectModel.cachedModel(forStoreAt: url))
    let database = unsafe try StoreFixture.database(StoreFixture.copy(of: url.path))
    defer { unsafe sqlite3_close(database) }
    let stored = unsafe try SQLRows.bytes(database, "SELECT Z_CONTENT FROM Z_MODELCACHE")
    let original = try DeflatedBytes.inflate(stored, limit: 1 << 24)
    let archived = ModelArchiver.archive(model).bytes
    let read = try ModelUnarchiver.read(archived, source: path).model
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    let isPhotos = path.contains("Photos")
    let differences = try ArchiveComparison.differences(original, archived).filter {
      !Self.older.contains($0) && !Self.lost.contains($0) && !Self.conditions.contains($0)
        && !(isPhotos && ($0.contains("Index") || $0.hasPrefix("NSExpressionDescription")))
    }
    #expect(differences == [])
  }

  @Test func aNewStoreCarriesItsModel() throws {
    for fixture in StoreFixture.all {
      let path = Sample.temporaryPath()
      try SQLiteStore(path: path, model: fixture.model).close()
      let url = URL(fileURLWithPath: path)
      let read = try #require(try ManagedObjectModel.cachedModel(forStoreAt: url))
      #expect(read.entityVersionHashesByName == fixture.model.entityVersionHashesByName)
      for entity in fixture.model.entities {
        #expect(read.entitiesByName[entity.name]?.inArchivedForm == entity.inArchivedForm)
      }
    }
  }
}

extension EntityDescription {
  /// The entity with its parts in the order of their names.
  var inArchivedForm: EntityDescription {
    var entity = self
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    entity.indexes.sort { $0.name < $1.name }
    for index in entity.attributes.indices {
      // Xcode's compiler drops the class of a transformable attribute.
      entity.attributes[index].attributeValueClassName = nil
      // No archive shows the form of such a default.
      if case .decimal = entity.attributes[index].defaultValue {
        entity.attributes[index].defaultValue = .null
      }
    }
    return entity
  }
}
