// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesMacros

struct EntityExpansionTests {
  @Test func writesAccessorsTheDeclarationAndTheNames() {
    let expansion = Expansion(
      """
      @Entity final class User: ManagedObject {
        var firstname: String?
        var age: Int = 0
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.source == """
        final class User: ManagedObject {
          var firstname: String? {
            get {
              self[property: 0]
            }
            set {
              self[property: 0] = newValue
            }
          }
          var age: Int {
            get {
              self[property: 1]
            }
            set {
              self[property: 1] = newValue
            }
          }

          override class var declaration: EntityDeclaration {
            EntityDeclaration(
              User.self,
              name: "User",
              properties: [
                .property("firstname", String?.self),
                .property("age", Int.self, default: 0),
              ])
          }

          override class func makeObject(_ seed: ObjectSeed) -> ManagedObject {
            User(seed)
          }

          override class var propertyKeyPaths: [PropertyKeyPath] {
            [
              PropertyKeyPath("firstname", \\User.firstname, \\User?.?.firstname),
              PropertyKeyPath("age", \\User.age, \\User?.?.age),
            ]
          }
        }
        """)
  }

  @Test func indexesOfASubentityFollowTheInheritedOnes() {
    let expansion = Expansion(
      """
      @Entity final class Employee: Person {
        var salary: Decimal = 0
      }
      """)
    #expect(
      expansion.source == """
        final class Employee: Person {
          var salary: Decimal {
            get {
              self[property: Self.firstPropertyIndex + 0]
            }
            set {
              self[property: Self.firstPropertyIndex + 0] = newValue
            }
          }

          private static let firstPropertyIndex = Person.declaration.propertyCount

          override class var declaration: EntityDeclaration {
            EntityDeclaration(
              Employee.self,
              name: "Employee",
              superclass: Person.self,
              properties: [
                .property("salary", Decimal.self, default: 0),
              ])
          }

          override class func makeObject(_ seed: ObjectSeed) -> ManagedObject {
            Employee(seed)
          }

          override class var propertyKeyPaths: [PropertyKeyPath] {
            [
              PropertyKeyPath("salary", \\Employee.salary, \\Employee?.?.salary),
            ] + Person.propertyKeyPaths(of: Employee.self)
          }
        }
        """)
  }

  @Test func anEntityWithoutPropertiesHasADeclarationOnly() {
    let expansion = Expansion("@Entity final class Mark: ManagedObject {}")
    #expect(
      expansion.source == """
        final class Mark: ManagedObject {

          override class var declaration: EntityDeclaration {
            EntityDeclaration(
              Mark.self,
              name: "Mark",
              properties: [])
          }

          override class func makeObject(_ seed: ObjectSeed) -> ManagedObject {
            Mark(seed)
          }
        }
        """)
  }

  @Test func derivedPropertiesAreReadOnly() {
    let source = Expansion(
      "@Entity class A: ManagedObject { @Derived(\"b.@count\") var count: Int }"
    ).source
    #expect(source.contains("self[property: 0]"))
    #expect(!source.contains("newValue"))
    #expect(source.contains(".derived(\"count\", Int.self, from: \"b.@count\"),"))
  }

  @Test(arguments: ["public", "open", "package"])
  func membersAreAsAccessibleAsTheClass(access: String) {
    let source = Expansion("@Entity \(access) class A: ManagedObject { var b: Int? }").source
    #expect(source.contains("\(access) override class var declaration"))
    #expect(source.contains("\(access) override class var propertyKeyPaths"))
  }

  @Test func aClassThatCanHaveSubclassesGivesThemItsKeyPaths() {
    let source = Expansion(
      "@Entity open class Employee: Person { var salary: Decimal = 0 }"
    ).source
    #expect(
      source.contains(
        """
          public static func propertyKeyPaths<EmployeeSubclass: Employee>(
            of root: EmployeeSubclass.Type
          ) -> [PropertyKeyPath] {
            [
              PropertyKeyPath("salary", \\EmployeeSubclass.salary, \\EmployeeSubclass?.?.salary),
            ] + Person.propertyKeyPaths(of: root)
          }
        """), "\(source)")
    #expect(!Expansion("@Entity final class A: B { var c = 1 }").source.contains("Subclass"))
  }

  @Test func aSubentityWithoutPropertiesHasTheInheritedKeyPaths() {
    let source = Expansion("@Entity final class A: B {}").source
    #expect(source.contains("[] + B.propertyKeyPaths(of: A.self)"))
  }

  @Test(arguments: ["", "internal ", "fileprivate ", "private ", "final "])
  func membersOfOtherClassesHaveNoModifier(modifier: String) {
    let source = Expansion("@Entity \(modifier)class A: ManagedObject { var b: Int? }").source
    #expect(source.contains("  override class var declaration"))
    #expect(source.contains("  override class var propertyKeyPaths"))
  }

  @Test(arguments: ["ManagedObject", "SporadesGraph.ManagedObject", "ManagedObject, Identifiable"])
  func aClassThatInheritsFromManagedObjectHasNoSuperentity(clause: String) {
    let source = Expansion("@Entity final class A: \(clause) { var b: Int? }").source
    #expect(source.contains("self[property: 0]"))
    #expect(!source.contains("superclass:"))
  }

  @Test func theArgumentsOfTheEntityArePassedOn() {
    let source = Expansion(
      """
      @Entity("Track", isAbstract: true, renamedFrom: "Song", hashModifier: "2")
      class Recording: ManagedObject {}
      """
    ).source
    #expect(
      source.contains(
        """
              Recording.self,
              name: "Track",
              isAbstract: true,
              properties: [],
              renamedFrom: "Song",
              versionHashModifier: "2")
        """))
  }

  @Test func otherMembersStayUnchanged() {
    let members = """
        static let x = 1
        static var y = 2
        class var z: Int { 3 }
        var fullName: String { "a" }
        var both: Int { get { 1 } set {} }
        func run() { var local = 1; local += 1 }
        convenience init(a: Int) {}
        struct Nested {
          var inner: Int
        }
        final class Deep {
          lazy var inner = 1
        }
      """
    let expansion = Expansion("@Entity final class A: ManagedObject {\n\(members)\n}")
    #expect(expansion.messages.isEmpty)
    #expect(expansion.source.contains(members))
    #expect(expansion.source.contains("properties: []"))
  }

  @Test func ignoredPropertiesStayStored() {
    let expansion = Expansion(
      """
      @Entity final class A: ManagedObject {
        @Ignored var isSelected = false
        @Ignored lazy var cache = [1]
        @Ignored let token = 1
        var b: Int?
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(expansion.source.contains("var isSelected = false\n"))
    #expect(expansion.source.contains("lazy var cache = [1]\n"))
    #expect(
      expansion.source.contains("properties: [\n        .property(\"b\", Int?.self),\n      ]"))
  }
}
