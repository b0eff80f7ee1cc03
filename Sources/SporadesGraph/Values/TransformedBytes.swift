// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// The bytes of a transformable attribute, as its transformer made them.
///
/// Use it for an attribute whose transformer this program does not have, such as one that only runs on Apple's
/// platforms: the bytes are read, kept and written unchanged.
public struct TransformedBytes: AttributeConvertible, Hashable, Sendable {
  /// The bytes.
  public var data: Data

  /// Takes the bytes that a transformer made.
  public init(_ data: Data) { self.data = data }

  public static var attributeType: AttributeType { .transformable }
  public static var absent: TransformedBytes { TransformedBytes(Data()) }
  public var value: Value { .data(data) }

  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> TransformedBytes {
    unsafe TransformedBytes(Data.load(word: word, bytes: bytes))
  }

  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe data.store(word: word, bytes: bytes)
  }
}
