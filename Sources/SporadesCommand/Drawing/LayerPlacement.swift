// SPDX-License-Identifier: MIT

/// Finds the vertical places of the nodes, so that wires are as straight as the order of the nodes allows.
///
/// A pass takes a layer, and the places that its neighbours wish for each node. The sum of the squared distances to the
/// wishes is the least possible, because neighbours that would overlap move together to the mean of their wishes.
struct LayerPlacement {
  private static let passes = 10
  /// The weight of the wish of each node to be in the middle of the picture.
  private static let gravity = 0.05
  private(set) var graph: LayeredGraph

  init(_ graph: LayeredGraph) { self.graph = graph }

  /// The graph with the places; the highest node is at 0.
  mutating func placed() -> LayeredGraph {
    for layer in graph.layers {
      var y = 0.0
      for (place, node) in layer.enumerated() {
        if place > 0 { y += distance(layer[place - 1], node) }
        graph.setTop(y, of: node)
      }
    }
    let order = Array(graph.layers.indices)
    for pass in 0..<Self.passes {
      let both = pass >= Self.passes / 2
      let goal = middle
      for layer in order { settle(layer, left: true, right: both, towards: goal) }
      for layer in order.reversed() { settle(layer, left: both, right: true, towards: goal) }
    }
    for layer in order { straighten(layer, graph.left) }
    for layer in order.reversed() { straighten(layer, graph.right) }
    let top = graph.nodes.map(\.y).min() ?? 0
    for node in graph.nodes.indices { graph.setTop(graph.nodes[node].y - top, of: node) }
    return graph
  }

  /// The distance of the tops of two neighbours in a layer.
  private func distance(_ upper: Int, _ lower: Int, isTight: Bool = false) -> Double {
    let bends = [upper, lower].filter { graph.nodes[$0].isBend }.count
    return graph.nodes[upper].height + (isTight ? [24.0, 8, 6] : [30.0, 14, 9])[bends]
  }

  /// The top at which a segment would be straight, and the segment's weight.
  private func wish(_ segment: LayeredGraph.Segment, atLeft: Bool) -> (y: Double, weight: Double) {
    let other = atLeft ? segment.from : segment.to
    let ends = graph.ends(segment)
    let bends = [segment.from, segment.to].filter { graph.nodes[$0].isBend }.count
    let y = atLeft ? ends.from - segment.toOffset : ends.to - segment.fromOffset
    // A hub with many wires would else draw all of them to itself.
    let degree = Double(graph.left[other].count + graph.right[other].count)
    return (y, [1.0, 3, 8][bends] / degree.squareRoot())
  }

  /// The mean of the middles of the boxes.
  private var middle: Double {
    let boxes = graph.nodes.filter { !$0.isBend }
    return boxes.reduce(0) { $0 + $1.y + $1.height / 2 } / Double(max(1, boxes.count))
  }

  private mutating func settle(_ layer: Int, left: Bool, right: Bool, towards middle: Double) {
    /// Nodes that lie close together, with the mean of their wishes for the first one.
    struct Block {
      var first: Int
      var mean: Double
      var weight: Double
    }
    let nodes = graph.layers[layer]
    var offsets: [Double] = []
    var blocks: [Block] = []
    var offset = 0.0
    for (place, node) in nodes.enumerated() {
      if place > 0 { offset += distance(nodes[place - 1], node) }
      offsets.append(offset)
      var wishes: [(y: Double, weight: Double)] = []
      if left { wishes += graph.left[node].map { wish(graph.segments[$0], atLeft: true) } }
      if right { wishes += graph.right[node].map { wish(graph.segments[$0], atLeft: false) } }
      if wishes.isEmpty { wishes = [(graph.nodes[node].y, 0.01)] }
      wishes.append((middle - graph.nodes[node].height / 2, Self.gravity))
      let weight = wishes.reduce(0) { $0 + $1.weight }
      let mean = wishes.reduce(0) { $0 + $1.y * $1.weight } / weight
      blocks.append(Block(first: place, mean: mean - offset, weight: weight))
      while blocks.count > 1, let last = blocks.last, last.mean < blocks[blocks.count - 2].mean {
        blocks.removeLast()
        let other = blocks[blocks.count - 1]
        let sum = other.weight + last.weight
        blocks[blocks.count - 1].mean =
          (other.mean * other.weight + last.mean * last.weight) / sum
        blocks[blocks.count - 1].weight = sum
      }
    }
    for (number, block) in blocks.enumerated() {
      let end = number + 1 < blocks.count ? blocks[number + 1].first : nodes.count
      for place in block.first..<end {
        graph.setTop(block.mean + offsets[place], of: nodes[place])
      }
    }
  }

  /// Moves bends, and boxes with a single wire, to where a wire of theirs is straight, if there is room.
  private mutating func straighten(_ layer: Int, _ segments: [[Int]]) {
    let nodes = graph.layers[layer]
    for (place, node) in nodes.enumerated() {
      let degree = graph.left[node].count + graph.right[node].count
      guard graph.nodes[node].isBend || degree == 1, let only = segments[node].first else {
        continue
      }
      let y = wish(graph.segments[only], atLeft: graph.segments[only].to == node).y
      if place > 0,
        y < graph.nodes[nodes[place - 1]].y + distance(nodes[place - 1], node, isTight: true)
      {
        continue
      }
      if place + 1 < nodes.count,
        y + distance(node, nodes[place + 1], isTight: true) > graph.nodes[nodes[place + 1]].y
      {
        continue
      }
      graph.setTop(y, of: node)
    }
  }
}
