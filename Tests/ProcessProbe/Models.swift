// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// The model of the scenarios. `ProcessTests` has a copy of it, which the file must fit.
enum Bank {
  @Entity final class Account: ManagedObject {
    var number: Int = 0
    var balance: Int = 0
  }

  @Entity final class Note: ManagedObject {
    var title: String = ""
    var body: String?
    @Relationship(inverse: "notes") var folder: Folder?
    @Relationship(inverse: "notes") var labels: Set<Label>
  }

  @Entity final class Folder: ManagedObject {
    var name: String = ""
    @Relationship(inverse: "folder") var notes: Set<Note>
  }

  @Entity final class Label: ManagedObject {
    var name: String = ""
    @Relationship(inverse: "labels") var notes: Set<Note>
  }

  static let classes: [ManagedObject.Type] = [
    Account.self, Note.self, Folder.self, Label.self,
  ]
}

/// The next version of the model, in which an account has an owner.
enum NewBank {
  @Entity final class Account: ManagedObject {
    var number: Int = 0
    var balance: Int = 0
    var owner: String?
  }

  @Entity final class Note: ManagedObject {
    var title: String = ""
    var body: String?
    @Relationship(inverse: "notes") var folder: Folder?
    @Relationship(inverse: "notes") var labels: Set<Label>
  }

  @Entity final class Folder: ManagedObject {
    var name: String = ""
    @Relationship(inverse: "folder") var notes: Set<Note>
  }

  @Entity final class Label: ManagedObject {
    var name: String = ""
    @Relationship(inverse: "labels") var notes: Set<Note>
  }

  static let classes: [ManagedObject.Type] = [
    Account.self, Note.self, Folder.self, Label.self,
  ]
}

/// An account of either version.
protocol AnyAccount: ManagedObject {
  var number: Int { get set }
  var balance: Int { get set }
}

extension Bank.Account: AnyAccount {}
extension NewBank.Account: AnyAccount {}
