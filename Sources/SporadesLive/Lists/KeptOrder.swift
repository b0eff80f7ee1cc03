// SPDX-License-Identifier: MIT
import SporadesModel

/// Chooses which of the members that two lists share have kept their order, so that the fewest others
/// have moved.
enum KeptOrder {
  /// A member of both lists.
  struct Member {
    /// The number of anchors before the member in the old list and in the new one. Anchors keep their
    /// order among themselves, and are never members.
    let oldAnchors: Int
    let newAnchors: Int
    /// The position in the new list.
    let new: Int
  }

  /// The indices of the members that stay between the same anchors, and among themselves in order.
  /// The members come in the order of the old list.
  static func stayingMembers(_ members: [Member]) -> [Int] {
    var staying: [Int] = []
    var start = 0
    while start < members.count {
      var end = start
      while end < members.count && members[end].oldAnchors == members[start].oldAnchors { end += 1 }
      let group = (start..<end).filter { members[$0].newAnchors == members[$0].oldAnchors }
      staying += longestRise(group.map { members[$0].new }).map { group[$0] }
      start = end
    }
    return staying
  }

  /// The indices of a longest subsequence of rising numbers.
  static func longestRise(_ numbers: [Int]) -> [Int] {
    // The index of the least number that ends a rise of each length, and the number before each.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for index in numbers.indices {
      let place = (0..<ends.count).division { numbers[ends[$0]] < numbers[index] }
      before[index] = place > 0 ? ends[place - 1] : nil
      if place == ends.count { ends.append(index) } else { ends[place] = index }
    }
    var rise: [Int] = []
    var next = ends.last
    while let index = next {
      rise.append(index)
      next = before[index]
    }
    return rise.reversed()
  }
}
