// SPDX-License-Identifier: MIT

/// The bytes of one direction of a connection, taken apart into messages of the protocol of PostgreSQL, version 3.
struct MessageStream {
  /// The form of the next message.
  private enum Form {
    /// A length and its bytes: how a client begins.
    case untyped
    /// A sign, a length and its bytes.
    case typed
    /// One byte: the answer to a question for encryption.
    case byte
  }

  /// What a client's first message asks for.
  enum Beginning { case session, encryption, other }

  private var bytes: [UInt8] = []
  private var start = 0
  private var form: Form

  static func ofClient() -> MessageStream { MessageStream(form: .untyped) }
  static func ofServer() -> MessageStream { MessageStream(form: .typed) }

  private init(form: Form) { self.form = form }

  mutating func append(_ part: some Sequence<UInt8>) {
    bytes.removeFirst(start)
    start = 0
    bytes += part
  }

  /// The next whole message, and what it asks for if it is a client's first one.
  mutating func next() -> (message: [UInt8], beginning: Beginning?)? {
    switch form {
    case .byte:
      guard let message = take(1) else { return nil }
      form = .typed
      return (message, nil)
    case .typed: return word(at: 1).flatMap { take(1 + $0) }.map { ($0, nil) }
    case .untyped:
      guard let length = word(at: 0), let code = word(at: 4), let message = take(length) else {
        return nil
      }
      let beginning: Beginning =
        switch code {
        case 196_608: .session
        case 80_877_103, 80_877_104: .encryption
        default: .other
        }
      if beginning == .session { form = .typed }
      return (message, beginning)
    }
  }

  /// The next message is the answer to a question for encryption.
  mutating func expectByte() { form = .byte }

  private func word(at offset: Int) -> Int? {
    let place = start + offset
    guard bytes.count >= place + 4 else { return nil }
    return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    guard bytes.count - start >= count else { return nil }
    defer { start += count }
    return Array(bytes[start..<start + count])
  }
}
