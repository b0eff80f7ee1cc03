// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import Testing

/// Models from files, objects by key, and what such models add: fetched properties and templates.
@Suite struct ModelFirstTests {
  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      <entity name="Dog" representedClassName="Hound" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="weight" attributeType="Integer 64" defaultValueString="1" usesScalarValueType="YES"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Keeper" inverseName="dogs" inverseEntity="Keeper"/>
        <fetchedProperty name="siblings" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Dog" \
    predicateString="owner == $FETCH_SOURCE.owner AND SELF != $FETCH_SOURCE"/>
        </fetchedProperty>
        <fetchedProperty name="heavier" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Dog" \
    predicateString="weight &gt; $FETCH_SOURCE.weight AND owner.name == $FETCH_SOURCE.owner.name"/>
        </fetchedProperty>
      </entity>
      <entity name="Keeper" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="dogs" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Dog" inverseName="owner" inverseEntity="Dog"/>
      </entity>
      <fetchRequest name="heavyDogs" entity="Dog" predicateString="weight &gt; $LIMIT"/>
    </model>
    """

  /// The model, read from a folder as Xcode lays it out.
  private func model(_ folder: TemporaryFolder) throws -> ManagedObjectModel {
    let package = folder.url.appendingPathComponent("Kennel.xcdatamodeld")
    let version = package.appendingPathComponent("Kennel.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Self.contents.write(
      to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    return try ManagedObjectModel(contentsOf: package)
  }

  @Test(arguments: StoreKind.allCases)
  func objectsAreReachedByKey(in kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    try kind.stack(model(folder)).newContext().performAndWait { context in
      let keeper = try context.insert(entityNamed: "Keeper")
      keeper["name"] = "Ann"
      let dogs = try (1...3).map { weight in
        let dog = try context.insert(entityNamed: "Dog")
        dog["weight"] = .integer(Int64(weight))
        dog.setObject(keeper, forKey: "owner")
        return dog
      }
      #expect(try context.insert(entityNamed: "Dog")["weight"] == 1)
      #expect(type(of: dogs[0]) == ManagedObject.self)
      for _ in 0..<2 {
        #expect(Set(dogs[0].objects(forKey: "siblings")) == [dogs[1], dogs[2]])
        #expect(dogs[1].objects(forKey: "heavier") == [dogs[2]])
        #expect(dogs[2]["heavier"] == .list([]))
        #expect(dogs[1].value(forKey: "heavier") == .list([.objectID(dogs[2].objectID)]))
        let heavy = try context.fetch(template: "heavyDogs", substituting: ["LIMIT": 1])
        #expect(Set(heavy) == [dogs[1], dogs[2]])
        try context.save()
      }
      #expect(throws: (any Error).self) { try context.fetch(template: "heavyDogs") }
      #expect(throws: ContextError.self) { try context.fetch(template: "lightDogs") }
      context.delete(keeper)
      try context.save()
      #expect(try context.count(FetchRequest("Dog")) == 1)
    }
  }

  /// `$FETCHED_PROPERTY` is the description of the property that is fetched.
  @Test(arguments: StoreKind.allCases)
  func fetchedPropertiesKnowThemselves(in kind: StoreKind) throws {
    func property(_ name: String, _ format: String) throws -> FetchedPropertyDescription {
      var property = FetchedPropertyDescription(
        name, FetchRequest("Dog", where: try FetchPredicate(format: format)))
      property.userInfo = ["least.weight": "3", "kind": "heavy"]
      return property
    }
    let attributes = ["name", "kind", "weight"].map {
      AttributeDescription($0, .string, isOptional: true)
    }
    var dog = EntityDescription("Dog", attributes: attributes)
    dog.fetchedProperties = [
      try property("named", "name == $FETCHED_PROPERTY.name"),
      try property(
        "heavy",
        "kind == $FETCHED_PROPERTY.userInfo.kind AND SELF != $FETCH_SOURCE "
          + "AND weight == $FETCHED_PROPERTY.userInfo.least.weight"),
      try property("wrong", "name == $FETCHED_PROPERTY.entity"),
    ]
    let model = try ManagedObjectModel(entities: [dog])
    try kind.stack(model).newContext().performAndWait { context in
      let dogs = try (0..<3).map { _ in try context.insert(entityNamed: "Dog") }
      dogs[1]["name"] = "named"
      for dog in dogs { dog["kind"] = "heavy" }
      dogs[2]["weight"] = "3"
      #expect(dogs[0].objects(forKey: "named") == [dogs[1]])
      #expect(dogs[0].objects(forKey: "heavy") == [dogs[2]])
      #expect(dogs[2].objects(forKey: "heavy").isEmpty)
      #expect(context.takeFailures().isEmpty)
      #expect(dogs[0].objects(forKey: "wrong").isEmpty)
      #expect(context.takeFailures().count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func classesAreBoundByName(in kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let stack = DataStack(store: try kind.store(model(folder)), classes: [Hound.self])
    try stack.newContext().performAndWait { context in
      let rex = Hound.create(in: context)
      rex.name = "Rex"
      try context.save()
      context.reset()
      let again = try #require(try context.fetch(FetchRequest("Dog")).first as? Hound)
      #expect(again.name == "Rex")
      #expect(again["weight"] == 1)
      #expect(try context.insert(entityNamed: "Dog") is Hound)
    }
  }

  /// A file with Core Data's triggers ends with the values the graph computes.
  @Test func triggersOfAFileAndTheGraphAgree() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("People.sqlite")
    try SQLiteStore(url: url, model: People.model).close()
    try Trigger.add(to: url.path)
    let stack = DataStack(
      store: try SQLiteStore(url: url, model: People.model), classes: People.classes)
    try stack.newContext().performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      ann.dogs = Set((0..<3).map { _ in Dog.create(in: context) })
      func check(_ counts: [Int]) throws {
        try context.save()
        context.refreshAllObjects()
        #expect([ann.dogCount, bob.dogCount] == counts)
      }
      try check([3, 0])
      let moved = try #require(ann.dogs.first)
      moved.owner = bob
      try check([2, 1])
      context.delete(moved)
      Dog.create(in: context).owner = bob
      Dog.create(in: context).owner = bob
      try check([2, 2])
      context.delete(ann)
      try context.save()
      #expect(try Dog.count(in: context) == 2)
      #expect(bob.dogCount == 2)
    }
    try stack.store.close()
  }
}

/// A class the model file names, which knows one of the attributes.
final class Hound: ManagedObject {
  override class func makeObject(_ seed: ObjectSeed) -> ManagedObject { Hound(seed) }

  override class var declaration: EntityDeclaration {
    EntityDeclaration(
      Hound.self, name: "Hound", properties: [.property("name", String?.self)])
  }

  var name: String? {
    get { self[property: 0] }
    set { self[property: 0] = newValue }
  }
}
