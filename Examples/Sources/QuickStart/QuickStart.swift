// SPDX-License-Identifier: MIT
// snippet: quickstart
import Sporades

@Entity final class User: ManagedObject {
  var firstname: String?
  var lastname: String?
  @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: Set<Pet>
}

@Entity final class Pet: ManagedObject {
  var name: String = "Rex"
  var owner: User?
}

@main struct QuickStart {
  static let data = DALService(sqlite: "AppData", entities: [User.self, Pet.self])

  static func main() async throws {
    let before = try await data.read { try User.count(in: $0) }
    print("users in the file: \(before)")

    try data
      .writeSync { context in
        let john = User.create(in: context)
        john.firstname = "John"
        john.lastname = "Doe the \(before + 1)."
        let rex = Pet.create(in: context)
        rex.owner = john
      }
      .writeSync { context in
        User.first(where: \.firstname == "Jane", in: context)?.delete(in: context)
      }
      .read { context in
        for user in User.all(sortedBy: \.lastname, in: context) {
          print(user.firstname ?? "?", user.lastname ?? "?", user.pets.map(\.name))
        }
      }
      .get()

    let names = try await data.read {
      try User.all(where: \.firstname == "John", sortedBy: \.lastname, in: $0).compactMap(
        \.lastname)
    }
    print("every John: \(names.joined(separator: ", "))")
  }
}
// snippet end
