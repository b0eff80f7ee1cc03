// SPDX-License-Identifier: MIT

/// The places of all boxes and lines of a picture.
///
/// Boxes that lines connect, directly or not, lie together. Such groups stand side by side, the tall ones first. Boxes
/// without lines stand in a grid below.
struct PictureLayout {
  /// The places of the boxes.
  private(set) var frames: [Frame]
  /// The order of each box's links, from the top to the bottom.
  private(set) var linkOrder: [[Int]]
  /// The corners of each line, from the side of its beginning.
  private(set) var routes: [[Point]]
  private(set) var width = 0.0
  private(set) var height = 0.0
  private let picture: ModelPicture
  private let metrics: [BoxMetrics]

  private static let groupGap = 56.0
  private static let gridGap = 28.0
  /// The width of a picture divided by its height.
  private static let aspect = 1.5

  init(_ picture: ModelPicture) {
    self.picture = picture
    metrics = picture.boxes.map(BoxMetrics.init)
    frames = metrics.map { Frame(x: 0, y: 0, width: $0.width, height: $0.height) }
    linkOrder = picture.boxes.map { Array($0.links.indices) }
    routes = Array(repeating: [], count: picture.lines.count)
    let groups = connectedGroups()
    let parts = groups.linked.map { boxes, lines in
      ComponentLayout(picture, metrics, boxes: boxes, lines: lines)
    }
    pack(parts, groups.alone)
  }

  /// The top of the group of links of a box, from the top of the box.
  func linksTop(of box: Int) -> Double { metrics[box].linksTop }

  // MARK: - Groups

  private func connectedGroups() -> (linked: [(boxes: [Int], lines: [Int])], alone: [Int]) {
    var leaders = Array(picture.boxes.indices)
    func leader(_ box: Int) -> Int {
      var box = box
      while leaders[box] != box {
        leaders[box] = leaders[leaders[box]]
        box = leaders[box]
      }
      return box
    }
    var isLinked = Array(repeating: false, count: leaders.count)
    for line in picture.lines {
      let (first, second) = (leader(line.from.box), leader(line.to.box))
      leaders[max(first, second)] = min(first, second)
      (isLinked[line.from.box], isLinked[line.to.box]) = (true, true)
    }
    var places: [Int: Int] = [:]
    var linked: [(boxes: [Int], lines: [Int])] = []
    for box in leaders.indices where isLinked[box] {
      let first = leader(box)
      if places[first] == nil {
        places[first] = linked.count
        linked.append(([], []))
      }
      if let place = places[first] { linked[place].boxes.append(box) }
    }
    for (number, line) in picture.lines.enumerated() {
      if let place = places[leader(line.from.box)] { linked[place].lines.append(number) }
    }
    return (linked, leaders.indices.filter { !isLinked[$0] })
  }

  // MARK: - Packing

  private mutating func pack(_ parts: [ComponentLayout], _ alone: [Int]) {
    let area =
      parts.reduce(0) { $0 + ($1.width + Self.groupGap) * ($1.height + Self.groupGap) }
      + alone.reduce(0) {
        $0 + (frames[$1].width + Self.gridGap) * (frames[$1].height + Self.gridGap)
      }
    let widest = parts.reduce(0) { max($0, $1.width) }
    let limit = max(widest, (area * Self.aspect).squareRoot())
    var (x, y, shelf) = (0.0, 0.0, 0.0)
    let order = parts.indices.sorted {
      (parts[$1].height, $0) < (parts[$0].height, $1)
    }
    for place in order {
      let part = parts[place]
      if x > 0, x + part.width > limit {
        (x, y, shelf) = (0, y + shelf + Self.groupGap, 0)
      }
      put(part, at: Point(x: x, y: y))
      x += part.width + Self.groupGap
      shelf = max(shelf, part.height)
      width = max(width, x - Self.groupGap)
    }
    height = y + shelf
    guard !alone.isEmpty else { return }
    if !parts.isEmpty { height += Self.groupGap }
    putGrid(alone, limit: max(limit, width))
  }

  private mutating func put(_ part: ComponentLayout, at origin: Point) {
    for (box, frame) in part.frames {
      (frames[box].x, frames[box].y) = (origin.x + frame.x, origin.y + frame.y)
    }
    for (box, order) in part.linkOrder { linkOrder[box] = order }
    for (line, route) in part.routes {
      routes[line] = route.map { Point(x: origin.x + $0.x, y: origin.y + $0.y) }
    }
  }

  /// Puts boxes into columns, each at the end of the shortest one.
  private mutating func putGrid(_ boxes: [Int], limit: Double) {
    let cell = boxes.reduce(0) { max($0, frames[$1].width) }
    let count = max(1, min(boxes.count, Int((limit + Self.gridGap) / (cell + Self.gridGap))))
    var ends = Array(repeating: height, count: count)
    for box in boxes {
      let column = ends.indices.reduce(0) { ends[$1] < ends[$0] ? $1 : $0 }
      frames[box].x = Double(column) * (cell + Self.gridGap)
      frames[box].y = ends[column]
      ends[column] += frames[box].height + Self.gridGap
      width = max(width, frames[box].x + frames[box].width)
    }
    height = max(height, (ends.max() ?? height) - Self.gridGap)
  }
}
