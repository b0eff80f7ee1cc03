// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

#if !canImport(UIKit) && !canImport(AppKit)
  extension IndexPath {
    /// The path of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The path of a row in a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The number of the section.
    public var section: Int { index(at: 0, named: "section") }

    /// The number of the item in its section.
    public var item: Int { index(at: 1, named: "item") }

    /// The number of the row in its section, another name of ``item``.
    public var row: Int { item }

    private func index(at level: Int, named name: String) -> Int {
      trap(
        unless: count == 2,
        "An index path with \(count) indexes has no \(name). Make it of a section and an item.")
      return self[level]
    }
  }
#endif
