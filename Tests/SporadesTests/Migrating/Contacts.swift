// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades

// Versions of one model, as a program keeps them.

enum ContactsV1: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var firstname: String?
    var lastname: String?
    @Attribute(.externalStorage) var photo: Data?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

enum ContactsV2: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var firstname: String?
    var lastname: String?
    var name: String?
    @Attribute(.externalStorage) var photo: Data?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

enum ContactsV3: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var name: String?
    @Attribute(.externalStorage) var photo: Data?
    var note: String?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

enum ContactsPlan: SchemaMigrationPlan {
  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: ContactsV1.self, toVersion: ContactsV2.self, label: "full names") {
        for contact in try ContactsV2.Contact.all(in: $0) {
          contact.name = [contact.firstname, contact.lastname].compactMap { $0 }.joined(
            separator: " ")
        }
      },
      .lightweight(fromVersion: ContactsV2.self, toVersion: ContactsV3.self),
    ]
  }
}
