// SPDX-License-Identifier: MIT

/// Finds an order of the nodes in each layer in which few wires cross.
///
/// Each pass sorts each layer by the mean place of the neighbours in the layer before, once from the left to the right
/// and once back. The best of all orders is kept.
struct LayerOrder {
  private static let passes = 12
  private let graph: LayeredGraph
  private var layers: [[Int]]
  private var places: [Int]

  init(_ graph: LayeredGraph) {
    self.graph = graph
    layers = graph.layers
    places = Array(repeating: 0, count: graph.nodes.count)
  }

  /// The nodes of each layer in their order.
  mutating func best() -> [[Int]] {
    begin()
    var best = layers
    var fewest = crossings
    for _ in 0..<Self.passes where fewest > 0 {
      for layer in layers.indices.dropFirst() { sort(layer, by: graph.left) { $0.from } }
      keep(&best, &fewest)
      for layer in layers.indices.dropLast().reversed() { sort(layer, by: graph.right) { $0.to } }
      keep(&best, &fewest)
    }
    return best
  }

  private func keep(_ best: inout [[Int]], _ fewest: inout Int) {
    let count = crossings
    if count < fewest { (best, fewest) = (layers, count) }
  }

  /// Puts nodes that are linked near each other: in the order in which a search meets them.
  private mutating func begin() {
    var met = Array(repeating: false, count: graph.nodes.count)
    var order: [[Int]] = Array(repeating: [], count: layers.count)
    for start in layers.joined() where !met[start] {
      var open = [start]
      met[start] = true
      while let node = open.popLast() {
        order[graph.nodes[node].layer].append(node)
        let near =
          graph.right[node].map { graph.segments[$0].to }
          + graph.left[node].map { graph.segments[$0].from }
        for other in near.reversed() where !met[other] {
          met[other] = true
          open.append(other)
        }
      }
    }
    layers = order
    for layer in layers { number(layer) }
  }

  private mutating func number(_ layer: [Int]) {
    for (place, node) in layer.enumerated() { places[node] = place }
  }

  private mutating func sort(
    _ layer: Int, by segments: [[Int]], _ neighbour: (LayeredGraph.Segment) -> Int
  ) {
    let keyed = layers[layer].enumerated().map { place, node -> (key: Double, place: Int) in
      let near = segments[node].map { Double(places[neighbour(graph.segments[$0])]) }
      // A node without neighbours stays about where it is.
      return (near.isEmpty ? Double(place) : near.reduce(0, +) / Double(near.count), place)
    }
    let nodes = layers[layer]
    layers[layer] = keyed.sorted { $0 < $1 }.map { nodes[$0.place] }
    number(layers[layer])
  }

  /// The number of crossings between all neighbouring layers.
  private var crossings: Int { layers.indices.dropLast().reduce(0) { $0 + crossings(behind: $1) } }

  private func crossings(behind layer: Int) -> Int {
    let width = layers[layer + 1].count
    // The number of wires that end at each place, as sums over powers of two.
    var sums = Array(repeating: 0, count: width + 1)
    var (count, seen) = (0, 0)
    for node in layers[layer] {
      let ends = graph.right[node].map { places[graph.segments[$0].to] }
      for end in ends {
        var (place, before) = (end + 1, 0)
        while place > 0 {
          before += sums[place]
          place -= place & -place
        }
        count += seen - before
      }
      for end in ends {
        var place = end + 1
        while place <= width {
          sums[place] += 1
          place += place & -place
        }
      }
      seen += ends.count
    }
    return count
  }
}
