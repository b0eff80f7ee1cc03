// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Counts how often it awoke.
@Entity final class Sleeper: ManagedObject {
  var name: String = "new"
  @Transient var inserted: Int = 0
  @Transient var fetched: Int = 0

  override func awakeFromInsert() {
    inserted += 1
    name += " and awake"
  }

  override func awakeFromFetch() { fetched += 1 }
}

/// The first moments of an object.
@Suite struct AwakeningTests {
  private func queue(_ kind: StoreKind) throws -> ContextQueue {
    let model = try ManagedObjectModel([Sleeper.self])
    return DataStack(store: try kind.store(model), classes: [Sleeper.self]).newContext()
  }

  @Test(arguments: StoreKind.allCases)
  func newObjectsAwakeOnce(in kind: StoreKind) throws {
    try queue(kind).performAndWait { context in
      let one = Sleeper(context: context)
      let other = try #require(try context.insert(entityNamed: "Sleeper") as? Sleeper)
      try context.save()
      for sleeper in [one, other] {
        #expect(sleeper.name == "new and awake")
        #expect(sleeper.inserted == 1)
        #expect(sleeper.fetched == 0)
      }
      context.reset()
      let again = try Sleeper.all(in: context)
      #expect(again.map(\.name) == ["new and awake", "new and awake"])
      #expect(again.map(\.inserted) == [0, 0])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsAwakeWhenTheirValuesCome(in kind: StoreKind) throws {
    try queue(kind).performAndWait { context in
      let id = Sleeper.create(in: context)
      try context.save()
      context.reset()
      let sleeper = try #require(try context.object(with: id.objectID) as? Sleeper)
      #expect(sleeper.fetched == 0)
      #expect(sleeper.isFault)
      #expect(sleeper.name == "new and awake")
      #expect(sleeper.fetched == 1)
      #expect(try Sleeper.first(in: context) === sleeper)
      #expect(sleeper.fetched == 1)
      context.refresh(sleeper, mergeChanges: false)
      #expect(sleeper.isFault)
      #expect(sleeper.name == "new and awake")
      context.reset()
      #expect(try Sleeper.first(in: context)?.fetched == 1)
      #expect(!context.hasChanges)
    }
  }
}
