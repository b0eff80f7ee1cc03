// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

@Entity private final class Tree: ManagedObject {
  var name: String = ""
  var forest: Forest
  @Relationship(inverse: \Leaf.tree) var leaves: Set<Leaf>
}
@Entity private final class Leaf: ManagedObject {
  var size: Int = 0
  var tree: Tree
}
@Entity private final class Forest: ManagedObject {
  @Relationship(inverse: \Tree.forest) var trees: Set<Tree>
}

/// A required relationship that leads to no object ends no process. It is reported, and shows an object without values.
@Suite struct MissingObjectTests {
  private let stack: DataStack

  init() throws { stack = try DataStack(inMemory: [Tree.self, Leaf.self, Forest.self]) }

  @Test func readingItFailsTheNextSaveAndNamesTheProperty() {
    stack.newContext().performAndWait { context in
      let leaf = Leaf.create(in: context)
      let missing = leaf.tree
      #expect(missing.name == "" && missing.leaves.isEmpty)
      #expect(missing.managedObjectContext == nil && missing.isFault && !missing.isInserted)
      #expect(context.insertedObjects == [leaf] && context.registeredObjects == [leaf])
      let error = #expect(throws: ContextError.self) { try context.save() }
      guard case .missingObject(leaf.objectID, property: "tree")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect("\(error!)".contains("Leaf") && "\(error!)".contains(".tree"))
    }
  }

  /// What an object that is gone leads to is not reported once more.
  @Test func oneMistakeIsReportedOnce() throws {
    try stack.newContext().performAndWait { context in
      let leaf = Leaf.create(in: context)
      #expect(leaf.tree.forest.trees.isEmpty)
      #expect(context.takeFailures().count == 1)
      let tree = Tree.create(in: context)
      (leaf.tree, tree.forest) = (tree, Forest.create(in: context))
      try context.save()
      context.delete(leaf)
      try context.save()
      #expect(leaf.tree.name == "" && context.takeFailures().isEmpty)
    }
  }

  @Test func theSubstituteTakesNoChangeAndNoLink() {
    stack.newContext().performAndWait { context in
      let (leaf, other) = (Leaf.create(in: context), Leaf.create(in: context))
      leaf.tree.name = "oak"
      other.tree = leaf.tree
      context.delete(leaf.tree)
      #expect(other.value(forKey: "tree") == .null)
      let failures = context.takeFailures().compactMap { $0 as? ContextError }
      let kinds = failures.map { failure in
        switch failure {
        case .missingObject: "missing"
        case .objectGone: "gone"
        default: "\(failure)"
        }
      }
      #expect(kinds == ["missing", "gone", "missing", "gone", "missing"])
      #expect(context.insertedObjects == [leaf, other])
    }
  }

  @Test func theBlockOfAServiceFails() throws {
    let service = DALService(stack: stack)
    let write = service.writeSync { context in
      let leaf = Leaf.create(in: context)
      let tree = leaf.tree
      (tree.name, leaf.size) = ("oak", 1)
    }
    guard case .context(.missingObject(_, property: "tree"))? = write.failure?.code else {
      Issue.record("\(String(describing: write.failure))")
      return
    }
    #expect(try service.readValue { try Leaf.count(in: $0) } == 0)
  }
}
