// SPDX-License-Identifier: MIT
package import Dispatch
import SporadesChain
package import SporadesModel
package import SporadesStore

// Stacks whose contexts and entities another module holds, under names of its own.
extension DataStack {
  /// Makes a stack over a store, and binds each entity to the class that `entityClass` chooses.
  package convenience init(
    holding store: any PersistentStore, _ entityClass: (EntityShape) -> EntityClass
  ) {
    let bound = BoundModel(store: store, check: ObjectCheck(), entityClass: entityClass)
    self.init(store: store, bound: bound)
  }

  /// Makes a context beside main, or over another one, that code may use without a block. It checks no queue, and merges the saves
  /// of others where it is told to.
  package func newHeldContext(
    over parent: ContextQueue? = nil, on queue: DispatchQueue? = nil
  ) -> ContextQueue {
    let source = parent.map { ContextParent.context(ParentSource($0, root)) } ?? .store(root)
    let context = ManagedObjectContext(stack: bound, parent: source, isHeld: true)
    context.automaticallyMergesChangesFromParent = false
    return ContextQueue(
      context, label: "held", on: queue, hearing: parent == nil ? root : nil, over: parent,
      isWoken: false)
  }
}

extension ContextQueue {
  /// Makes a queue for a context that a thread has taken.
  package convenience init(holding context: ManagedObjectContext) {
    self.init(context, label: "held", isWoken: false)
  }
}

extension ManagedObject {
  /// The entity as another module knows it. Its properties have the places of those in the shape: `self[property:]`.
  @inlinable package final var heldEntity: AnyObject? { home.binding.entity }

  /// The context, also of an object that is gone; nil after the context has ended.
  package final var formerContext: ManagedObjectContext? { home.context }

  /// Sets a member of a composite attribute by its path.
  package final func setMember(_ path: String, to value: Value) { change(path, to: value) }

  /// The row of a new object that an initializer of another module has made.
  package final func insertIntoContext() { home.context?.insertRow(of: self) }
}

extension ManagedObjectContext {
  /// The parts of a new object of an entity.
  package final func seed(entityNumbered number: Int) -> ObjectSeed {
    ObjectSeed(home: home(numbered: number), key: nextTemporaryKey)
  }
}

extension ObjectSeed {
  /// The entity as another module knows it.
  package var heldEntity: AnyObject? { home.binding.entity }
}

extension ManagedObjectContext {
  /// The context whose block the calling thread runs.
  package static var ofCurrentBlock: ManagedObjectContext? { CurrentContext.ofThread }
}

extension ManagedObjectContext {
  /// The id names an object of the context's stack.
  package final func owns(_ id: ManagedObjectID) -> Bool { id.scope == stack.scope }
}
