// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
public import SporadesGraph
import SporadesModel

// One of every kind of property the macros know.

enum Mood: Int16 { case asleep, calm, lively }

@Composite struct Position: Hashable {
  let latitude: Double
  let longitude: Double
}

@Composite struct Address: Hashable {
  var street: String
  @Attribute(.length(1...40)) var city: String?
  var position: Position?
  var label: String { "\(street), \(city ?? "")" }
}

@Entity final class User: ManagedObject {
  var firstname: String?
  var lastname: String?
  var age: Int = 0
  @Attribute(.unique, .renamed(from: "mail")) var email: String = ""
  @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: Set<Pet>
  @Transient var scratch: Int = 0
  @Derived("pets.@count") var petCount: Int
  var address: Address?
  var score = -1
  @Ignored var isSelected = false
  var fullName: String { "\(firstname ?? "") \(lastname ?? "")" }
  static let x = 1
  #Unique("firstname", "lastname")
  #Unique<User>([\.age, \.lastname])
  #Index("lastname")
  #Index<User>([\.age], [\.address?.city])
  #Index(name: "byAgeDown", elements: [.init("age", isAscending: false)])
}

@Entity final class Pet: ManagedObject {
  var name: String = "Rex"
  var mood: Mood = .calm
  @Relationship(inverse: "pets") var owner: User?
  var friends: [Pet]
  var tricks: [String] = ["sit"]
  var diet: [String: Int]?
}

@Entity class Person: ManagedObject { var name: String = "" }
@Entity class Employee: Person {
  var salary: Decimal = 0
  var boss: Employee?
}
@Entity final class Manager: Employee { var bonus: Decimal = 0 }

@Entity("Track", isAbstract: true, renamedFrom: "Song", hashModifier: "2")
public class Recording: ManagedObject {
  public private(set) var title: String?
  var `default`: Bool = false
}
