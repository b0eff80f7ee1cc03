// SPDX-License-Identifier: MIT

/// The short forms that symbols have for types of the standard library.
enum StandardTypes {
  /// Those behind the letter `S`.
  static let codes: [String: String] = [
    "AutoreleasingUnsafeMutablePointer": "A", "Array": "a", "BinaryFloatingPoint": "B",
    "Bool": "b", "Dictionary": "D", "Double": "d", "Encodable": "E", "Decodable": "e",
    "FloatingPoint": "F", "Float": "f", "RandomNumberGenerator": "G", "Hashable": "H", "Set": "h",
    "DefaultIndices": "I", "Int": "i", "Character": "J", "Numeric": "j",
    "BidirectionalCollection": "K", "RandomAccessCollection": "k", "Comparable": "L",
    "Collection": "l", "MutableCollection": "M", "RangeReplaceableCollection": "m",
    "ClosedRange": "N", "Range": "n", "ObjectIdentifier": "O", "UnsafePointer": "P",
    "UnsafeMutablePointer": "p", "Equatable": "Q", "Optional": "q", "UnsafeBufferPointer": "R",
    "UnsafeMutableBufferPointer": "r", "String": "S", "Substring": "s", "Sequence": "T",
    "IteratorProtocol": "t", "UnsignedInteger": "U", "UInt": "u", "UnsafeRawPointer": "V",
    "UnsafeMutableRawPointer": "v", "UnsafeRawBufferPointer": "W",
    "UnsafeMutableRawBufferPointer": "w", "RangeExpression": "X", "Strideable": "x",
    "RawRepresentable": "Y", "StringProtocol": "y", "SignedInteger": "Z", "BinaryInteger": "z",
  ]

  /// Those behind the letters `Sc`.
  static let concurrencyCodes: [String: String] = [
    "Actor": "A", "CheckedContinuation": "C", "UnsafeContinuation": "c", "CancellationError": "E",
    "UnownedSerialExecutor": "e", "Executor": "F", "SerialExecutor": "f", "TaskGroup": "G",
    "ThrowingTaskGroup": "g", "TaskExecutor": "h", "AsyncIteratorProtocol": "I",
    "AsyncSequence": "i", "UnownedJob": "J", "MainActor": "M", "TaskPriority": "P",
    "AsyncStream": "S", "AsyncThrowingStream": "s", "Task": "T", "UnsafeCurrentTask": "t",
  ]
}
