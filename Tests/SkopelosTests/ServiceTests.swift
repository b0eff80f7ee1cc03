// SPDX-License-Identifier: MIT
import CoreData
import Skopelos
import Testing

// The tests run on the main queue, where the context for reads lives. Other threads than the main one serve that queue.
@MainActor @Suite struct ServiceTests {
  let folder: ModelFolder
  let client: Client

  init() throws {
    folder = try ModelFolder()
    client = Client(inMemoryStack: folder.model)
  }

  @Test func chainsReadWhatTheyHaveWritten() {
    var names: [String?] = []
    client.writeSync { context in
      for name in ["John", "Jane", "Mark"] { Person.SK_create(context).firstname = name }
      Person.SK_first("firstname", isEqualTo: "Mark", context: context)?.lastname = "Smith"
    }.writeSync { context in
      Person.SK_first("firstname", isEqualTo: "John", context: context)?.SK_remove(context)
    }.read { context in
      names = Person.SK_all(
        context, predicate: NSPredicate(value: true), sortTerm: "lastname:NO,firstname",
        ascending: true
      ).map(\.firstname)
      #expect(Person.SK_numberOfEntities(context) == 2)
      let does = NSPredicate(format: "lastname == %@", "Doe")
      #expect(Person.SK_numberOfEntities(does, context: context) == 1)
    }
    #expect(names == ["Mark", "Jane"] && client.errors.isEmpty)
  }

  @Test func anObjectIsFoundInAnotherContext() {
    var id: NSManagedObjectID?
    client.writeSync { context in
      let person = Person.SK_create(context)
      #expect(person.SK_inContext(context) === person)
      id = person.objectID
    }.read { context in
      let twin = Person.SK_first(context)
      #expect(twin?.objectID.isTemporaryID == false && twin?.SK_inContext(context) === twin)
    }
    #expect(id?.isTemporaryID == false)
  }

  @Test func aRefusedSaveIsHeardAndBurdensNoLaterOne() {
    let client = Client(inMemoryStack: folder.model, allowsConcurrentWritings: false)
    client.writeSync { context in Person.SK_create(context).setValue(nil, forKey: "lastname") }
    #expect(client.errors.map(\.code) == [NSValidationMissingMandatoryPropertyError])
    client.writeSync { context in Person.SK_create(context) }
      .read { context in #expect(Person.SK_numberOfEntities(context) == 1) }
    #expect(client.errors.count == 1)
  }

  @Test func anAsyncWriteIsInTheStoreWhenItsCompletionRuns() async {
    await withCheckedContinuation { continuation in
      client.writeAsync { context in
        Person.SK_create(context)
      } completion: { error in
        #expect(error == nil)
        continuation.resume()
      }
    }
    client.read { context in #expect(Person.SK_numberOfEntities(context) == 1) }
  }

  @Test func aNukedStoreIsEmptyAndTakesWrites() {
    client.writeSync { context in Person.SK_create(context) }
    client.nuke()
    client.read { context in #expect(Person.SK_numberOfEntities(context) == 0) }
      .writeSync { context in Person.SK_create(context) }
      .read { context in #expect(Person.SK_numberOfEntities(context) == 1) }
  }

  @Test func namesOfClassesHaveNoModule() {
    #expect(Person.nameOfClass == "Person" && NSArray.nameOfClass == "NSArray")
    #expect("YES".boolValue && !"no".boolValue)
  }
}
