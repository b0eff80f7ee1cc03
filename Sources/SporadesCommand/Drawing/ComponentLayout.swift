// SPDX-License-Identifier: MIT

/// The places of boxes that lines connect, and of these lines.
struct ComponentLayout {
  private(set) var frames: [Int: Frame] = [:]
  private(set) var linkOrder: [Int: [Int]] = [:]
  /// The place of each link in that order.
  private var linkPlaces: [Int: [Int]] = [:]
  private(set) var routes: [Int: [Point]] = [:]
  private(set) var width = 0.0
  private(set) var height = 0.0

  private let picture: ModelPicture
  private let metrics: [BoxMetrics]
  /// The boxes by the numbers of their nodes.
  private let boxes: [Int]
  private let nodes: [Int: Int]
  /// The lines between two boxes by the numbers of their wires, and those from a box to itself.
  private let wires: [Int]
  private let loops: [Int]
  private let isTurned: [Bool]
  private var graph: LayeredGraph

  /// The room for the signs at the ends of lines.
  private static let margin = 26.0
  private static let trackGap = 9.0
  private static let gapEstimate = 120.0
  private static let boxGap = 30.0

  init(_ picture: ModelPicture, _ metrics: [BoxMetrics], boxes: [Int], lines: [Int]) {
    self.picture = picture
    self.metrics = metrics
    self.boxes = boxes
    nodes = Dictionary(boxes.enumerated().map { ($1, $0) }) { first, _ in first }
    wires = lines.filter { !picture.lines[$0].isLoop }
    loops = lines.filter { picture.lines[$0].isLoop }
    let sizes = boxes.map { (width: metrics[$0].width, height: metrics[$0].height) }
    let area = sizes.reduce(0) { $0 + ($1.width + Self.gapEstimate) * ($1.height + Self.boxGap) }
    let tallest = sizes.reduce(0) { max($0, $1.height + Self.boxGap) }
    let numbers = nodes
    let layering = Layering(
      heights: sizes.map { $0.height + Self.boxGap },
      edges: wires.map {
        (numbers[picture.lines[$0].from.box] ?? 0, numbers[picture.lines[$0].to.box] ?? 0)
      }, limit: max(tallest, (area / 1.5).squareRoot()))
    isTurned = layering.isTurned
    graph = LayeredGraph(sizes: sizes, layering)
    var order = LayerOrder(graph)
    graph.setLayers(order.best())
    for box in boxes { linkOrder[box] = Array(picture.boxes[box].links.indices) }
    setOffsets()
    place()
    // The rows of links follow the heights of what they lead to, and the boxes follow the rows.
    sortLinks()
    setOffsets()
    place()
    draw()
  }

  private mutating func place() {
    var placement = LayerPlacement(graph)
    graph = placement.placed()
  }

  // MARK: - Ends of lines

  /// The ends of a wire on its left and on its right.
  private func ends(_ wire: Int) -> (left: ModelPicture.End, right: ModelPicture.End) {
    let line = picture.lines[wires[wire]]
    return isTurned[wire] ? (line.to, line.from) : (line.from, line.to)
  }

  private mutating func sortLinks() {
    var heights: [ModelPicture.End: Double] = [:]
    for wire in wires.indices {
      guard let first = graph.wires[wire].first, let last = graph.wires[wire].last else { continue }
      let (left, right) = ends(wire)
      heights[left] = graph.ends(graph.segments[first]).to
      heights[right] = graph.ends(graph.segments[last]).from
    }
    var byBox: [Int: [Int: Double]] = [:]
    for (end, height) in heights {
      if let link = end.link { byBox[end.box, default: [:]][link] = height }
    }
    for box in boxes {
      let links = picture.boxes[box].links.indices
      let known = byBox[box] ?? [:]
      let order = links.sorted {
        // Links without a line come last.
        (known[$0] ?? .infinity, $0) < (known[$1] ?? .infinity, $1)
      }
      linkOrder[box] = order
      var places = order
      for (place, link) in order.enumerated() { places[link] = place }
      linkPlaces[box] = places
    }
  }

  /// One place at the head of a box: that of all its subentities, or that of another line.
  private struct HeadEnd {
    let wires: [Int]
    let height: Double
  }

  /// Sets the heights at which the wires meet their boxes.
  private mutating func setOffsets() {
    var from = Array(repeating: 0.0, count: wires.count)
    var to = from
    var heads: [Int: (left: [HeadEnd], right: [HeadEnd])] = [:]
    var families: [Int: [Int]] = [:]
    for wire in wires.indices {
      let (left, right) = ends(wire)
      guard let first = graph.wires[wire].first, let last = graph.wires[wire].last else { continue }
      if let link = left.link {
        from[wire] = rowMiddle(link, left.box)
      } else if left.mark == .triangle {
        families[left.box, default: []].append(wire)
      } else {
        heads[left.box, default: ([], [])].right.append(
          HeadEnd(wires: [wire], height: graph.ends(graph.segments[first]).to))
      }
      if let link = right.link {
        to[wire] = rowMiddle(link, right.box)
      } else {
        heads[right.box, default: ([], [])].left.append(
          HeadEnd(wires: [wire], height: graph.ends(graph.segments[last]).from))
      }
    }
    for (box, family) in families {
      let ends = family.compactMap {
        graph.wires[$0].first.map { graph.ends(graph.segments[$0]).to }
      }
      let mean = ends.reduce(0, +) / Double(max(1, ends.count))
      heads[box, default: ([], [])].right.append(HeadEnd(wires: family.sorted(), height: mean))
    }
    for (_, sides) in heads {
      for (wire, offset) in Self.spread(sides.right) { from[wire] = offset }
      for (wire, offset) in Self.spread(sides.left) { to[wire] = offset }
    }
    for wire in wires.indices { graph.setOffsets(ofWire: wire, from: from[wire], to: to[wire]) }
  }

  private func rowMiddle(_ link: Int, _ box: Int) -> Double {
    metrics[box].linkMiddle(linkPlaces[box]?[link] ?? link)
  }

  private static func spread(_ ends: [HeadEnd]) -> [(wire: Int, offset: Double)] {
    let step = min(8, (BoxMetrics.head - 8) / Double(max(1, ends.count)))
    let order = ends.sorted {
      ($0.height, $0.wires.first ?? 0) < ($1.height, $1.wires.first ?? 0)
    }
    return order.enumerated().flatMap { place, end in
      let offset = BoxMetrics.head / 2 + (Double(place) - Double(ends.count - 1) / 2) * step
      return end.wires.map { ($0, offset) }
    }
  }

  // MARK: - Drawing

  /// A way through the gap behind a layer: that of a segment, or a whole loop.
  private struct GapRun {
    let segment: Int?
    let loop: Int?
    let run: GapTracks.Run
  }

  private mutating func draw() {
    var runs: [[GapRun]] = Array(repeating: [], count: graph.layers.count)
    for (place, segment) in graph.segments.enumerated() {
      let heights = graph.ends(segment)
      let isFamily =
        !graph.nodes[segment.from].isBend && ends(segment.wire).left.mark == .triangle
      runs[graph.nodes[segment.from].layer].append(
        GapRun(
          segment: place, loop: nil,
          run: .init(from: heights.from, to: heights.to, bundle: isFamily ? segment.from : nil)))
    }
    for line in loops {
      let (from, to) = loopHeights(line)
      guard let node = nodes[picture.lines[line].from.box] else { continue }
      runs[graph.nodes[node].layer].append(
        GapRun(segment: nil, loop: line, run: .init(from: from, to: to, bundle: nil)))
    }
    var x = 0.0
    var corners: [Int: [Point]] = [:]
    for (layer, members) in graph.layers.enumerated() {
      let column = members.reduce(0) { max($0, graph.nodes[$1].width) }
      for node in members where !graph.nodes[node].isBend { setFrame(of: node, x, column) }
      x += column
      width = max(width, x)
      let tracks = GapTracks(runs[layer].map(\.run))
      for (run, track) in zip(runs[layer], tracks.tracks) {
        guard let track else { continue }
        let middle = x + Self.margin + Double(track) * Self.trackGap
        width = max(width, run.loop == nil ? width : middle + 2)
        let turn = [Point(x: middle, y: run.run.from), Point(x: middle, y: run.run.to)]
        if let segment = run.segment { corners[segment] = turn }
        if let loop = run.loop { addLoop(loop, turn) }
      }
      x += 2 * Self.margin + Double(max(0, tracks.count - 1)) * Self.trackGap
    }
    for wire in wires.indices { addRoute(wire, corners) }
    height = graph.nodes.reduce(0) { max($0, $1.y + $1.height) }
  }

  private mutating func setFrame(of node: Int, _ x: Double, _ column: Double) {
    let place = graph.nodes[node]
    frames[boxes[node]] = Frame(
      x: x + (column - place.width) / 2, y: place.y, width: place.width, height: place.height)
  }

  private func loopHeights(_ line: Int) -> (Double, Double) {
    func height(_ end: ModelPicture.End) -> Double {
      let top = nodes[end.box].map { graph.nodes[$0].y } ?? 0
      return top + (end.link.map { rowMiddle($0, end.box) } ?? BoxMetrics.head / 2)
    }
    return (height(picture.lines[line].from), height(picture.lines[line].to))
  }

  private mutating func addLoop(_ line: Int, _ turn: [Point]) {
    guard let frame = frames[picture.lines[line].from.box], turn.count == 2 else { return }
    let side = frame.x + frame.width
    routes[line] = [Point(x: side, y: turn[0].y)] + turn + [Point(x: side, y: turn[1].y)]
  }

  private mutating func addRoute(_ wire: Int, _ corners: [Int: [Point]]) {
    let (left, right) = ends(wire)
    guard let from = frames[left.box], let to = frames[right.box],
      let first = graph.wires[wire].first, let last = graph.wires[wire].last
    else { return }
    var points = [Point(x: from.x + from.width, y: graph.ends(graph.segments[first]).from)]
    for segment in graph.wires[wire] { points += corners[segment] ?? [] }
    points.append(Point(x: to.x, y: graph.ends(graph.segments[last]).to))
    routes[wires[wire]] = isTurned[wire] ? points.reversed() : points
  }
}
