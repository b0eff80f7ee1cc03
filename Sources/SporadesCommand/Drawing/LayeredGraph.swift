// SPDX-License-Identifier: MIT

/// A graph in layers whose edges lead from each layer to the next one. An edge over several layers passes through a bend in
/// each of them, so that the layers keep room for it.
struct LayeredGraph {
  /// A box, or a bend of a wire.
  struct Node {
    let layer: Int
    let width: Double
    let height: Double
    let isBend: Bool
    /// The top.
    var y = 0.0
  }

  /// A part of a wire between two neighbouring layers.
  struct Segment {
    let from: Int
    let to: Int
    let wire: Int
    /// The places of the ends, from the tops of their nodes.
    var fromOffset = 0.0
    var toOffset = 0.0
  }

  private(set) var nodes: [Node]
  private(set) var segments: [Segment] = []
  /// The segments of each edge, from the left to the right.
  private(set) var wires: [[Int]] = []
  /// The nodes of each layer, from the top to the bottom.
  private(set) var layers: [[Int]]
  /// The segments that end at each node, and those that begin there.
  private(set) var left: [[Int]] = []
  private(set) var right: [[Int]] = []

  static let bendHeight = 4.0

  init(sizes: [(width: Double, height: Double)], _ layering: Layering) {
    nodes = zip(sizes, layering.layers).map {
      Node(layer: $1, width: $0.width, height: $0.height, isBend: false)
    }
    for (wire, edge) in layering.edges.enumerated() {
      var parts: [Int] = []
      var last = edge.from
      for layer in nodes[edge.from].layer + 1..<nodes[edge.to].layer + 1 {
        var next = edge.to
        if layer < nodes[edge.to].layer {
          next = nodes.count
          nodes.append(Node(layer: layer, width: 0, height: Self.bendHeight, isBend: true))
        }
        parts.append(segments.count)
        segments.append(Segment(from: last, to: next, wire: wire))
        last = next
      }
      wires.append(parts)
    }
    layers = Array(repeating: [], count: (nodes.map(\.layer).max() ?? -1) + 1)
    for (place, node) in nodes.enumerated() { layers[node.layer].append(place) }
    left = Array(repeating: [], count: nodes.count)
    right = left
    for (place, segment) in segments.enumerated() {
      right[segment.from].append(place)
      left[segment.to].append(place)
    }
    for place in segments.indices {
      if nodes[segments[place].from].isBend { segments[place].fromOffset = Self.bendHeight / 2 }
      if nodes[segments[place].to].isBend { segments[place].toOffset = Self.bendHeight / 2 }
    }
  }

  mutating func setLayers(_ layers: [[Int]]) { self.layers = layers }
  mutating func setTop(_ y: Double, of node: Int) { nodes[node].y = y }

  mutating func setOffsets(ofWire wire: Int, from: Double, to: Double) {
    guard let first = wires[wire].first, let last = wires[wire].last else { return }
    segments[first].fromOffset = from
    segments[last].toOffset = to
  }

  /// The vertical places of a segment's ends.
  func ends(_ segment: Segment) -> (from: Double, to: Double) {
    (nodes[segment.from].y + segment.fromOffset, nodes[segment.to].y + segment.toOffset)
  }
}
