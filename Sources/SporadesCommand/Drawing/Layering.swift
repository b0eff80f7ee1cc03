// SPDX-License-Identifier: MIT

/// Puts the nodes of a graph into layers, so that no edge stays within one.
///
/// Rules:
/// 1. An edge leads from its layer to a later one. Edges that close a cycle are turned around.
/// 2. A node stands behind all nodes that lead to it, as far to the left as the height of the layers allows.
/// 3. A node with more edges to the right than to the left moves to the right, if there is room.
struct Layering {
  private let heights: [Double]
  private let limit: Double
  private(set) var edges: [(from: Int, to: Int)]
  /// Whether an edge was turned around.
  private(set) var isTurned: [Bool]
  private(set) var layers: [Int]
  private var outgoing: [[Int]] = []
  private var incoming: [[Int]] = []
  private var fill: [Double] = []

  /// `limit` is the height that a layer should not exceed. No edge may lead from a node to itself.
  init(heights: [Double], edges: [(from: Int, to: Int)], limit: Double) {
    self.heights = heights
    self.edges = edges
    self.limit = limit
    isTurned = Array(repeating: false, count: edges.count)
    layers = Array(repeating: 0, count: heights.count)
    connect()
    turnCycles()
    connect()
    let order = topologicalOrder()
    place(order)
    for _ in 0..<3 {
      for node in order.reversed() { pull(node) }
      for node in order { pull(node) }
    }
    closeGaps()
  }

  private mutating func connect() {
    outgoing = Array(repeating: [], count: heights.count)
    incoming = outgoing
    for edge in edges {
      outgoing[edge.from].append(edge.to)
      incoming[edge.to].append(edge.from)
    }
  }

  /// Turns the edges around that lead back to a node of the path on which a search in depth is.
  private mutating func turnCycles() {
    var edgesByNode: [[Int]] = Array(repeating: [], count: heights.count)
    for (place, edge) in edges.enumerated() { edgesByNode[edge.from].append(place) }
    enum State { case new, open, done }
    var states = Array(repeating: State.new, count: heights.count)
    let nodes = Array(heights.indices)
    for start in nodes.filter({ incoming[$0].isEmpty }) + nodes where states[start] == .new {
      var path: [(node: Int, next: Int)] = [(start, 0)]
      states[start] = .open
      while let (node, next) = path.last {
        guard next < edgesByNode[node].count else {
          states[node] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next = next + 1
        let edge = edgesByNode[node][next]
        let target = edges[edge].to
        switch states[target] {
        case .new:
          states[target] = .open
          path.append((target, 0))
        case .open: isTurned[edge] = true
        case .done: break
        }
      }
    }
    for place in edges.indices where isTurned[place] {
      edges[place] = (edges[place].to, edges[place].from)
    }
  }

  private func topologicalOrder() -> [Int] {
    var left = incoming.map(\.count)
    var order = heights.indices.filter { left[$0] == 0 }
    var next = 0
    while next < order.count {
      for target in outgoing[order[next]] {
        left[target] -= 1
        if left[target] == 0 { order.append(target) }
      }
      next += 1
    }
    return order
  }

  /// Rule 2.
  private mutating func place(_ order: [Int]) {
    // The layers before this one are full.
    var firstOpen = 0
    for node in order {
      var layer = incoming[node].reduce(0) { max($0, layers[$1] + 1) }
      if layer < firstOpen { layer = firstOpen }
      while layer < fill.count, fill[layer] > 0, fill[layer] + heights[node] > limit { layer += 1 }
      while fill.count <= layer { fill.append(0) }
      layers[node] = layer
      fill[layer] += heights[node]
      while firstOpen < fill.count, fill[firstOpen] >= limit { firstOpen += 1 }
    }
  }

  /// Rule 3.
  private mutating func pull(_ node: Int) {
    let (before, after) = (incoming[node], outgoing[node])
    guard before.count != after.count else { return }
    let first = before.reduce(0) { max($0, layers[$1] + 1) }
    let last = after.reduce(fill.count - 1) { min($0, layers[$1] - 1) }
    let goal = after.count > before.count ? last : first
    let step = goal > layers[node] ? -1 : 1
    var layer = goal
    while layer != layers[node] {
      if fill[layer] + heights[node] <= limit {
        fill[layers[node]] -= heights[node]
        fill[layer] += heights[node]
        layers[node] = layer
        return
      }
      layer += step
    }
  }

  private mutating func closeGaps() {
    let used = Set(layers).sorted()
    let places = Dictionary(used.enumerated().map { ($1, $0) }) { first, _ in first }
    layers = layers.map { places[$0] ?? 0 }
  }
}
