// SPDX-License-Identifier: MIT
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

final class AppData: DALService, @unchecked Sendable {
  static let shared = AppData(sqlite: "AppData", entities: [User.self, Pet.self])
  override func handleError(_ error: DALError) { print("error: \(error)") }
}

AppData.shared
  .writeSync { context in
    let john = User.create(in: context)
    john.firstname = "John"
    let rex = Pet.create(in: context)
    rex.owner = john
  }
  .writeSync { context in User.first(where: \.firstname == "Jane", in: context)?.delete(in: context) }
  .read { context in print(User.all(in: context).count, User.all(in: context).map { $0.pets.map(\.name) }) }

func names() async throws -> [String?] {
  let names = try await AppData.shared.read { try User.all(sortedBy: \.lastname, in: $0).map(\.firstname) }
  return names
}
print(try await names())
