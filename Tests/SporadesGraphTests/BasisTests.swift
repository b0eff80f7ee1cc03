// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Saves are compared with the state in which their changes were made.
@Suite struct BasisTests {
  /// A nested write hears of saves that the outer one has not heard.
  @Test(arguments: [false, true]) func aNestedWriteDoesNotHideADeletionFromTheOuterOne(nests: Bool)
    throws
  {
    let stack = try StoreKind.memory.people()
    let id = try stack.newContext().performAndWait { context -> ManagedObjectID in
      let club = Club.create(in: context)
      try context.save()
      return club.objectID
    }
    var refusal: (any Error)?
    do {
      _ = try stack.write(name: "outer", durability: .eventual) { outer in
        let club = try #require(try outer.existingObject(with: id) as? Club)
        try stack.newContext().performAndWait { other in
          other.delete(try other.existingObject(with: id))
          try other.save()
        }
        if nests {
          _ = try stack.write(name: "inner", durability: .eventual, within: outer) { inner in
            Note.create(in: inner)
          }
        }
        let ann = Person.create(in: outer)
        ann.club = club
      }
    } catch { refusal = error }
    #expect(refusal != nil)
  }

  /// The change that was given up is compared no more; the object that was relied on still is.
  @Test(arguments: [false, true]) func anObjectThatIsReliedOnIsComparedAfterItsChangeWasGivenUp(
    changes: Bool
  ) throws {
    let stack = try StoreKind.memory.people()
    let parent = stack.newContext()
    let id = try parent.performAndWait { context -> ManagedObjectID in
      let ann = Person.create(in: context)
      ann.name = "Ann"
      try context.save()
      return ann.objectID
    }
    var refusal: (any Error)?
    try stack.newChild(of: parent).performAndWait { child in
      let ann = try #require(try child.existingObject(with: id) as? Person)
      child.detectConflicts(for: ann)
      if changes {
        ann.age = 3
        child.refresh(ann, mergeChanges: false)
      }
      parent.performAndWait { context in
        (context.registeredObject(for: id) as? Person)?.name = "Bea"
      }
      Person.create(in: child).name = "Carl"
      do { try child.save() } catch { refusal = error }
    }
    #expect(refusal != nil)
  }
}
