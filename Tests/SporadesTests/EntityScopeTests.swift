// SPDX-License-Identifier: MIT
public import FoundationEssentials
import Sporades
public import SporadesGraph
import SporadesModel
import Testing

// Entities wherever a class can stand, and properties named like what `ManagedObject` keeps to
// itself.

@Entity private class Hidden: ManagedObject { var a: Int? }

@Entity private final class HiddenBelow: Hidden {
  private var b: Int?
  fileprivate var c: Set<Hidden>
}

@Entity open class Open: ManagedObject {
  open var key: Int?
  public internal(set) var state: String = "k"
  public var row: Int = 1
  public var value: Data?
  public var delete: Bool = false

  @Entity final class Inside: Open { var z: Int = 1 }
}

private enum Space {
  @Entity final class User: ManagedObject {
    var mate: User?
    var sub: Sub
    #Unique<User>([\.mate])

    @Entity final class Sub: ManagedObject { var n = 1 }
  }
}

struct EntityScopeTests {
  @Test func entitiesStandWhereverClassesDo() {
    @Entity final class Local: ManagedObject { var a = "x" }
    #expect(Local.declaration.properties.map(\.name) == ["a"])
    #expect(Hidden.declaration.propertyCount == 1)
    #expect(HiddenBelow.declaration.propertyCount == 3)
    #expect(Open.Inside.declaration.propertyCount == 6)
    #expect(Space.User.declaration.properties.map(\.name) == ["mate", "sub"])
    #expect(Space.User.Sub.declaration.name == "Sub")
  }

  @Test func namesAreThoseOfTheOwnClass() {
    func names<Object: ManagedObject>(_ predicate: TypedPredicate<Object>) -> [String]? {
      guard case .comparison(let comparison) = predicate.predicate,
        case .keyPath(let names) = comparison.left
      else { return nil }
      return names
    }
    #expect(names(\HiddenBelow.a == 1) == ["a"])
    #expect(names(\Open.key == 1) == ["key"])
    #expect(names(\Open.Inside.state == "x") == ["state"])
    #expect(names(\Space.User.mate == nil) == ["mate"])
    #expect(names(\Space.User.mate!.sub.n == 1) == ["mate", "sub", "n"])
  }
}
