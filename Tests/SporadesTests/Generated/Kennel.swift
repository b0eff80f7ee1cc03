// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Foundation
import Sporades

@Composite struct BeastPlaceInner {
  var x: Double = 0.25
}

@Composite struct BeastPlace {
  var inner: BeastPlaceInner
  var `in`: Float?
}

@Entity(isAbstract: true, renamedFrom: "Thing", hashModifier: "b", userInfo: ["key": "value"]) class Beast: ManagedObject {
  #Unique("name")
  #Unique("age", "born")
  #Index(name: "age", elements: [.init("age")])
  #Index(name: "both", elements: [.init("name", isAscending: false), .init("age")])
  #Index(name: "young", elements: [.init("age")], where: try! FetchPredicate(format: "age < 3"))
  @Attribute(.spotlight, .length(1...40), .pattern("[^\\\\\"]+"), .satisfies("SELF != \"x\""), .renamed(from: "title"), .hashModifier("2"), .userInfo(["a": "1", "b": "2"])) var name: Swift.String = "\"é\\\n\u{301}"
  @Attribute(.minimum(-5), .maximum(300)) var age: Int16? = -1
  @Attribute(.externalStorage, .preservesValueOnDeletion) var photo: Data?
  @Attribute(.maximum(Date(timeIntervalSinceReferenceDate: 86400.0))) var born: Date = Date(timeIntervalSinceReferenceDate: 12.5)
  @Attribute(.minimum(Decimal(string: "0.5")!)) var weight: Decimal = Decimal(string: "5")!
  var place: BeastPlace?
  var `default`: Bool = true
  @Transient var scratch: Int64?
}

@Entity("Dog") final class KennelDog: Beast {
  @Derived("tricks.@count") var count: Int64?
  @Attribute(.transformer(named: "Colors"), .valueClass(named: "NSArray")) var colors: TransformedBytes?
  @Relationship(deleteRule: .cascade, inverse: "dog", maxCount: 5, options: [.optional(false), .userInfo(["r": "s"])]) var tricks: [SetEntity]
  @Relationship(deleteRule: .nullify, inverse: "dogs", minCount: 1, options: [.optional(true)]) var handler: Keeper?
}

@Entity final class Keeper: ManagedObject {
  var id: UUID = UUID(uuidString: "00000000-0000-0000-0000-000000000001")!
  var home: URL?
  var String: Swift.String?
  @Relationship(deleteRule: .deny, inverse: "handler", minCount: 1) var dogs: Set<KennelDog>
  @Relationship(deleteRule: .noAction, inverse: nil, minCount: 0, renamedFrom: "pal", hashModifier: "x") var friend: Keeper
  @Relationship(deleteRule: .nullify, inverse: nil, options: [.transient]) var mate: Keeper?
}

@Entity("Set") final class SetEntity: ManagedObject {
  var ratio: Float = Float(0.5)
  var total: Double = 1e-300
  var small: Int32
  var large: Int64
  @Relationship(deleteRule: .nullify, inverse: "tricks", minCount: 0) var dog: KennelDog
}

@Entity final class Hollow: ManagedObject {}

/// The classes, and the model that they declare.
enum Kennel {
  static let classes: [ManagedObject.Type] = [
    Beast.self,
    KennelDog.self,
    Keeper.self,
    SetEntity.self,
    Hollow.self,
  ]

  static func makeModel() throws -> ManagedObjectModel {
    try ManagedObjectModel(classes, configurations: [
      "Dogs": [KennelDog.self, Keeper.self],
      "Rest": [SetEntity.self],
    ])
  }
}
