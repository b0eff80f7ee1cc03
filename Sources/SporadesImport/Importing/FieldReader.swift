// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// Hands over the bytes of some keys of each record, as the import's parser finds them: for programs that compare an
/// import with statements of their own behind the same parser.
@_spi(Measuring)
public struct FieldReader {
  private var reader: JSONReader
  private let keys: [[UInt8]]
  private var lastPlaces: [Int] = []

  /// Opens a file of JSON.
  public init(_ file: URL, keys: [String]) throws(ImportError) {
    reader = JSONReader(ByteSource(try OpenFile(file)), .automatic, RecordLimits())
    self.keys = keys.map { Array($0.utf8) }
  }

  /// Calls `body` with the values of the keys in each record, in the order of the keys. A key that a record does not
  /// have has no bytes. The bytes are valid until `body` returns.
  @unsafe
  public mutating func forEachRecord(
    _ body: (UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Void
  ) throws(ImportError) {
    while let batch = try reader.next(4000) {
      for record in batch.records {
        let nodes = nodes(of: record.node, batch)
        unsafe batch.bytes.withUnsafeBytes { bytes in
          let parts = unsafe nodes.map { node in
            guard let node else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
            let start = Int(batch.nodes[node].start)
            let end = start + Int(batch.nodes[node].count)
            return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
          }
          unsafe parts.withUnsafeBufferPointer { unsafe body($0) }
        }
      }
    }
  }

  /// The node of each key's value. Records mostly have their keys in the same order.
  private mutating func nodes(of object: Int, _ batch: RecordBatch) -> [Int?] {
    var nodes = [Int?](repeating: nil, count: keys.count)
    var (index, position) = (object + 1, 0)
    let end = Int(batch.nodes[object].next)
    while index < end {
      let node = batch.nodes[index]
      let range = Int(node.start)..<Int(node.start) + Int(node.count)
      let guess = position < lastPlaces.count ? lastPlaces[position] : 0
      let isGuess = batch.bytes[range].elementsEqual(keys[guess])
      let place =
        isGuess ? guess : keys.firstIndex { batch.bytes[range].elementsEqual($0) } ?? -1
      if place >= 0 {
        nodes[place] = index + 1
        if position == lastPlaces.count { lastPlaces.append(place) }
      }
      index = Int(batch.nodes[index + 1].next)
      position += 1
    }
    return nodes
  }

  /// The whole number that digits mean; 0 for none.
  @unsafe
  public static func integer(_ digits: UnsafeRawBufferPointer) -> Int64 {
    unsafe NumberText.integer(Array(digits)[...]) ?? 0
  }

  /// The number that digits mean; 0 for none.
  @unsafe
  public static func double(_ digits: UnsafeRawBufferPointer) -> Double {
    unsafe NumberText.double(Array(digits)[...]) ?? 0
  }

  /// The seconds since 2001 of a date in ISO 8601; 0 for none.
  @unsafe
  public static func date(_ text: UnsafeRawBufferPointer) -> Double {
    unsafe DateText.parse(Array(text)[...]) ?? 0
  }
}
