// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesGraph

/// A context that goes away with unsaved changes names them, where somebody would miss them.
@Suite struct ReleasedContextTests {
  private let stack = DataStack(store: MemoryStore(model: People.model), classes: People.classes)

  @Test func unsavedChangesAreNamed() throws {
    try stack.newContext(name: "editor").performAndWait { context in
      #expect(context.subjectOfLostChanges == nil)
      let ann = Person.make("Ann", in: context)
      #expect(context.subjectOfLostChanges == "A context, editor, with objects of Person")
      try context.save()
      #expect(context.subjectOfLostChanges == nil)
      ann.name = "Bob"
      #expect(context.subjectOfLostChanges != nil)
      context.rollback()
      #expect(context.subjectOfLostChanges == nil)
      context.delete(ann)
      #expect(context.subjectOfLostChanges != nil)
      context.reset()
      #expect(context.subjectOfLostChanges == nil)
    }
  }

  @Test func aScratchpadIsReleasedWithoutAWord() throws {
    stack.newChild(of: stack.main).performAndWait { context in
      _ = Person.make("Ann", in: context)
      #expect(context.subjectOfLostChanges == nil)
    }
  }

  @Test func aBlockThatFailsSaysSoItself() {
    #expect(throws: StoreError.self) {
      _ = try stack.write(name: nil, durability: .eventual) { context in
        _ = Person.make("Ann", in: context)
        #expect(context.subjectOfLostChanges == nil)
        throw StoreError(.io, "The block fails.")
      }
    }
  }
}
