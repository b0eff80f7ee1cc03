// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

@Entity private final class Keeper: ManagedObject {
  @Relationship(inverse: \Mastiff.keeper) var dogs: Set<Mastiff>
}
@Entity private final class Mastiff: ManagedObject {
  var keeper: Keeper
  var kennel: Kennel
}
@Entity private final class Kennel: ManagedObject {}

/// A deletion that empties a required relationship is named, with the delete rules to choose from.
@Suite struct LostOwnerTests {
  private func failures(
    _ change: (Keeper, Mastiff, ManagedObjectContext) -> Void
  ) throws -> [String] {
    let stack = try DataStack(inMemory: [Keeper.self, Mastiff.self, Kennel.self])
    return try stack.newContext().performAndWait { context in
      let keeper = Keeper.create(in: context)
      let dog = Mastiff.create(in: context)
      (dog.keeper, dog.kennel) = (keeper, Kennel.create(in: context))
      try context.save()
      change(keeper, dog, context)
      let error = #expect(throws: ValidationError.self) { try context.save() }
      return error?.failures.map(\.description) ?? []
    }
  }

  @Test func theDeletedOwnerAndTheRuleAreNamed() throws {
    let texts = try failures { keeper, _, context in context.delete(keeper) }
    #expect(
      texts == [
        "Mastiff/p1.keeper: has no value since Keeper/p1 was deleted, but the model requires one. "
          + "Keeper.dogs has the delete rule nullify: choose cascade, which deletes this object too, or "
          + "deny, which refuses the deletion; or set another object, or make the relationship optional."
      ])
  }

  @Test func anEmptiedRelationshipIsNamedWithoutADeletion() throws {
    let texts = try failures { keeper, dog, _ in keeper.dogs.remove(dog) }
    #expect(texts == ["Mastiff/p1.keeper: has no value, but the model requires one."])
  }
}
