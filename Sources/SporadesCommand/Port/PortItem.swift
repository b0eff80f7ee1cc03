// SPDX-License-Identifier: MIT

/// A place of a source that does not compile on Linux, and what is done about it.
struct PortItem {
  /// What stands there.
  enum Kind: String {
    case attribute, keyPath, selector, initializer, requirement, cast, override
    case module = "import"
  }

  /// A part of the file that is replaced. An empty range is a place at which the text is put in.
  struct Edit {
    let range: Range<Int>
    let text: String
  }

  let kind: Kind
  /// The first byte of the place.
  let start: Int
  /// A sentence that says what is done, or what is left to do.
  let sentence: String
  /// The edits in the order of the file; none for what is left to the user.
  let edits: [Edit]

  /// Takes the edits in any order.
  init(_ kind: Kind, at start: Int, _ sentence: String, _ edits: [Edit] = []) {
    (self.kind, self.start, self.sentence) = (kind, start, sentence)
    self.edits = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Nothing is changed there, and the user has to do it.
  var isLeft: Bool { edits.isEmpty }
}

extension PortItem.Edit {
  /// Puts a text in at a place.
  static func insert(_ text: String, at place: Int) -> PortItem.Edit {
    PortItem.Edit(range: place..<place, text: text)
  }
}

extension [PortItem] {
  /// The file with the edits of these items, without those that touch the edits of an earlier one.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var copied = 0
    var end = -1
    let items = filter { !$0.isLeft }.sorted {
      $0.edits[0].range.lowerBound < $1.edits[0].range.lowerBound
    }
    for item in items where item.edits[0].range.lowerBound > end {
      for edit in item.edits {
        result += bytes[copied..<edit.range.lowerBound]
        result += edit.text.utf8
        copied = edit.range.upperBound
      }
      end = copied
    }
    return result + bytes[copied...]
  }
}
