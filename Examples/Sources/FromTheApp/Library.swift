// SPDX-License-Identifier: MIT
import Foundation
import Sporades

// The model of the file that the program makes if it is given none.

@Entity final class User: ManagedObject {
  var name: String = ""
  @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet]
}

@Entity class Pet: ManagedObject {
  var name: String = ""
  var owner: User?
  @Relationship(inverse: \Tag.pets) var tags: Set<Tag>
}

@Entity final class Dog: Pet {
  var barks: Bool = true
}

@Entity final class Tag: ManagedObject {
  var label: String = ""
  var pets: Set<Pet>
}

enum Library {
  /// Makes the file and closes it.
  static func make(at url: URL) throws {
    let stack = try DataStack(sqlite: url, entities: [User.self, Pet.self, Dog.self, Tag.self])
    try stack.newContext().performAndWait { context in
      let users = ["Ada", "Jane", "John"].map { name in
        let user = User.create(in: context)
        user.name = name
        return user
      }
      let tags = ["small", "loud"].map { label in
        let tag = Tag.create(in: context)
        tag.label = label
        return tag
      }
      let (tom, rex) = (Pet.create(in: context), Dog.create(in: context))
      (tom.name, rex.name) = ("Tom", "Rex")
      users[1].pets = [rex, tom]
      rex.tags = Set(tags)
      tom.tags = [tags[0]]
      try context.save()
    }
    try stack.store.close()
  }
}
