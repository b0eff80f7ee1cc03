// SPDX-License-Identifier: MIT
import CPostgreSQL
package import SporadesStore

/// The way to a server, as libpq takes it: `postgresql://app@db.example.com/app?sslmode=verify-full`, or
/// `host=/run/postgresql dbname=app`.
///
/// Everything that libpq knows works: several hosts, service files, passwords from files and from the environment. A
/// password stands in no message.
package struct ServerAddress: Sendable {
  /// The options that the text gives.
  let options: [(keyword: String, value: String)]
  /// The same without passwords, for messages.
  let place: String

  init(options: [(keyword: String, value: String)], place: String) {
    (self.options, self.place) = (options, place)
  }

  package init(_ text: String) throws(StoreError) {
    var message: UnsafeMutablePointer<CChar>?
    guard let parsed = unsafe PQconninfoParse(text, &message) else {
      let reason = unsafe message.map { unsafe String(cString: $0) } ?? "no memory is left"
      unsafe PQfreemem(message)
      // libpq repeats parts of the text, and one of them may be a password.
      throw StoreError(
        .cannotOpen,
        "The address of the server is no connection string of PostgreSQL: "
          + "\(Self.withoutQuotes(reason)). Write postgresql://user@host/database, or host=… dbname=…."
      )
    }
    defer { unsafe PQconninfoFree(parsed) }
    var options: [(keyword: String, value: String)] = []
    var shown: [String] = []
    var next = unsafe parsed
    while let keyword = unsafe next.pointee.keyword {
      if let value = unsafe next.pointee.val {
        let (name, text) = unsafe (String(cString: keyword), String(cString: value))
        options.append((name, text))
        // libpq marks what nobody should read with a star.
        let isSecret = unsafe next.pointee.dispchar.map {
          unsafe $0.pointee == CChar(bitPattern: 42)
        }
        if isSecret != true, ["host", "hostaddr", "port", "dbname", "user"].contains(name) {
          shown.append("\(name)=\(text)")
        }
      }
      unsafe next += 1
    }
    self.options = options
    place = shown.isEmpty ? "the default server" : shown.joined(separator: " ")
  }

  private static func withoutQuotes(_ message: String) -> String {
    var isInside = false
    var text = ""
    for character in message where character != "\n" {
      if character == "\"" {
        if !isInside { text += "…" }
        isInside.toggle()
      } else if !isInside {
        text.append(character)
      }
    }
    return text
  }
}
