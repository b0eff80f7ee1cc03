// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What `-com.apple.CoreData.ConcurrencyDebug 1` catches in Core Data: everything that touches an
/// object or a context off its queue. Each kind of use must end the process.
@Suite struct ConcurrencyCheckTests {
  enum Misuse: String, CaseIterable, Codable, Sendable {
    case readsAnAttribute, setsAnAttribute, readsByKey, setsByKey, readsPrimitively, setsPrimitively
    case readsToOne, setsToOne, readsToMany, setsToMany, adds, removes, setsObjectsByKey
    case firesAFault, asksForChanges, asksForCommittedValues
    case fetches, counts, fetchesIDs, aggregates, inserts, creates, deletes, saves, rollsBack
    case resets, refreshes, refreshesAll, undoes, redoes, processes, findsByID, findsExisting
    case findsRegistered, asksForAnyChanges, asksForInserted, asksForUpdated, asksForDeleted
    case asksForRegistered, merges, getsIDs, observes

    func commit(
      _ ann: Person, _ fault: Person, _ context: ManagedObjectContext, _ save: DidSave
    ) throws {
      switch self {
      case .readsAnAttribute: _ = ann.name
      case .setsAnAttribute: ann.name = "x"
      case .readsByKey: _ = ann.value(forKey: "name")
      case .setsByKey: ann.setValue("x", forKey: "name")
      case .readsPrimitively: _ = ann.primitiveValue(forKey: "name")
      case .setsPrimitively: ann.setPrimitiveValue("x", forKey: "name")
      case .readsToOne: _ = ann.spouse
      case .setsToOne: ann.spouse = nil
      case .readsToMany: _ = ann.dogs
      case .setsToMany: ann.dogs = []
      case .adds: ann.add(fault, to: "friends")
      case .removes: ann.remove(fault, from: "friends")
      case .setsObjectsByKey: ann.setObjects([], forKey: "friends")
      case .firesAFault: _ = fault.age
      case .asksForChanges: _ = ann.changedValues()
      case .asksForCommittedValues: _ = ann.committedValues()
      default: try commit(ann, context, save)
      }
    }

    private func commit(
      _ ann: Person, _ context: ManagedObjectContext, _ save: DidSave
    ) throws {
      switch self {
      case .fetches: _ = try context.fetch(FetchRequest("Person"))
      case .counts: _ = try context.count(FetchRequest("Person"))
      case .fetchesIDs: _ = try context.fetchIDs(FetchRequest("Person"))
      case .aggregates: _ = try context.aggregate(.sum, of: "age", FetchRequest("Person"))
      case .inserts: _ = try context.insert(entityNamed: "Dog")
      case .creates: Dog.create(in: context)
      case .deletes: context.delete(ann)
      case .saves: try context.save()
      case .rollsBack: context.rollback()
      case .resets: context.reset()
      case .refreshes: context.refresh(ann, mergeChanges: true)
      case .refreshesAll: context.refreshAllObjects()
      case .undoes: context.undo()
      case .redoes: context.redo()
      case .processes: context.processPendingChanges()
      case .findsByID: _ = try context.object(with: ann.objectID)
      case .findsExisting: _ = try context.existingObject(with: ann.objectID)
      case .findsRegistered: _ = context.registeredObject(for: ann.objectID)
      case .asksForAnyChanges: _ = context.hasChanges
      case .asksForInserted: _ = context.insertedObjects
      case .asksForUpdated: _ = context.updatedObjects
      case .asksForDeleted: _ = context.deletedObjects
      case .asksForRegistered: _ = context.registeredObjects
      case .merges: try context.mergeChanges(from: save)
      case .getsIDs: try context.obtainPermanentIDs(for: [ann])
      default: context.observe { _ in }.end()
      }
    }

    /// Two objects and their context, carried out of their block, which the compiler prevents
    /// wherever it can.
    static func leak() throws -> (Person, Person, ManagedObjectContext, DidSave, ContextQueue) {
      let queue = try StoreKind.memory.people().newContext()
      return try queue.performAndWait { context in
        var saved: DidSave?
        let observation = context.observe { saved = $0.notification.didSave ?? saved }
        let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
        try context.save()
        observation.end()
        context.refresh(bob, mergeChanges: false)
        return (ann, bob, context, try #require(saved), queue)
      }
    }
  }

  @Test(arguments: Misuse.allCases)
  func usingOffTheQueueTraps(_ misuse: Misuse) async {
    await #expect(processExitsWith: .failure) { [misuse] in
      // what throws is no trap, and must not be taken for one
      try? {
        let (ann, bob, context, save, queue) = try Misuse.leak()
        try misuse.commit(ann, bob, context, save)
        withExtendedLifetime(queue) {}
      }()
    }
  }

  /// On the queue the same uses are fine, and so it is the queue that they trap for.
  @Test(arguments: Misuse.allCases)
  func usingOnTheQueueDoesNot(_ misuse: Misuse) throws {
    let (ann, bob, _, save, queue) = try Misuse.leak()
    try queue.performAndWait { try misuse.commit(ann, bob, $0, save) }
  }

  @Test func whatAnObjectIsMayBeAskedAnywhere() throws {
    let (ann, bob, context, _, queue) = try Misuse.leak()
    #expect(ann.objectID != bob.objectID)
    #expect(ann.entity.name == "Person")
    #expect(bob.isFault)
    #expect(ann.managedObjectContext === context)
    #expect(queue.performAndWait { _ in ann.objectID } == ann.objectID)
  }
}
