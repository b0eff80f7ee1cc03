// SPDX-License-Identifier: MIT
import Sporades

// MARK: - What the server sent

@Entity final class Download: ManagedObject {
  var number: Int = 0
  var raw: String = ""
}

final class Downloads: DALService, @unchecked Sendable {
  // @unchecked: nothing is stored beyond what the superclass has.
  static let shared = Downloads(sqlite: "Downloads", entities: [Download.self])
}

// MARK: - What the user sees

@Entity final class Message: ManagedObject {
  #Index<Message>([\.number])
  var number: Int = 0
  var subject: String = ""
  var body: String = ""
  var isRead: Bool = false
  var sender: Sender?
}

@Entity final class Sender: ManagedObject {
  #Unique<Sender>([\.address])
  var address: String = ""
  @Relationship(deleteRule: .cascade, inverse: \Message.sender) var messages: Set<Message>
}

final class Mail: DALService, @unchecked Sendable {
  // @unchecked: nothing is stored beyond what the superclass has.
  static let shared = Mail(sqlite: "Mail", entities: [Message.self, Sender.self])
}
