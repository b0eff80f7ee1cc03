// SPDX-License-Identifier: MIT
import SporadesModel

// Key paths to attributes and objects.
extension PredicateGenerator {
  /// A key path to an attribute.
  typealias Path = (names: [String], attribute: AttributeShape, isToMany: Bool)

  /// Makes a key path to an attribute. If `toMany` is true, the path leads to many objects where the entity
  /// has such a path.
  mutating func makePath(
    toMany: Bool, where isWanted: (AttributeShape) -> Bool = { _ in true }
  ) -> Path {
    let start = random.pick(starts)
    var (names, shape, isToMany) = (start.names, start.entity, false)
    for _ in 0..<Int.random(in: toMany ? 1...3 : 0...2, using: &random) {
      let steps = shape.relationships.filter { toMany || !$0.isToMany }
      guard !steps.isEmpty else { break }
      let step = random.pick(steps)
      names.append(step.name)
      isToMany = isToMany || step.isToMany
      shape = model.shape(numbered: step.destination)
    }
    let attributes = shape.attributes.filter { $0.slot != nil }
    let wanted = attributes.filter(isWanted)
    let attribute = random.pick(wanted.isEmpty ? attributes : wanted)
    return (names + [attribute.name], attribute, isToMany)
  }

  mutating func makeToManyPath() -> [String]? {
    let start = random.pick(starts)
    let direct = start.entity.relationships.filter(\.isToMany).map { start.names + [$0.name] }
    let further = start.entity.relationships.flatMap { step in
      model.shape(numbered: step.destination).relationships.filter(\.isToMany)
        .map { start.names + [step.name, $0.name] }
    }
    let all = direct + further
    return all.isEmpty ? nil : random.pick(all)
  }

  /// The entity at the end of a key path of relationships.
  func entity(at path: [String]) -> EntityShape {
    var (shape, rest) = (starts[0].entity, path[...])
    if let start = starts.last(where: { !$0.names.isEmpty && path.starts(with: $0.names) }) {
      (shape, rest) = (start.entity, path.dropFirst(start.names.count))
    }
    for name in rest {
      guard case .relationship(let step)? = shape[name] else {
        preconditionFailure("\(shape.name) has no relationship \(name).")
      }
      shape = model.shape(numbered: step.destination)
    }
    return shape
  }

  // MARK: - Objects

  /// Makes a comparison of an object with nil or with another object, or asks whether it is among others.
  mutating func makeReference() -> FetchPredicate {
    let start = random.pick(starts)
    let toOne = start.entity.relationships.filter { !$0.isToMany }
    guard !toOne.isEmpty else { return makeDirect() }
    let step = random.pick(toOne)
    let path = FetchExpression.keyPath(start.names + [step.name])
    let comparator = random.once(in: 2) ? FetchPredicate.Comparator.equal : .notEqual
    let root = model.shape(numbered: step.destination).rootNumber
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      guard let other = makeObject(ofTree: root) else { break }
      return .comparison(.init(path, comparator, other))
    case 1:
      guard let many = makeToManyPath(), entity(at: many).rootNumber == root else { break }
      if random.once(in: 2) { return .comparison(.init(path, .isIn, .keyPath(many))) }
      return .comparison(
        .init(.keyPath(many), comparator, path, quantifier: random.once(in: 2) ? .any : .all))
    default: break
    }
    return .comparison(.init(path, comparator, .constant(.null)))
  }

  /// Makes an expression for an object of an inheritance tree; nil if none was found.
  private mutating func makeObject(ofTree root: Int) -> FetchExpression? {
    let start = random.pick(starts)
    var objects: [FetchExpression] = []
    if start.entity.rootNumber == root {
      objects.append(start.names.first.map { .keyPath([$0]) } ?? .subject)
    }
    for step in start.entity.relationships {
      let destination = model.shape(numbered: step.destination)
      if step.isToMany {
        if step.isOrdered, destination.rootNumber == root {
          objects.append(.element(start.names + [step.name], at: .first, then: []))
        }
        continue
      }
      if destination.rootNumber == root { objects.append(.keyPath(start.names + [step.name])) }
      for next in destination.relationships
      where !next.isToMany && model.shape(numbered: next.destination).rootNumber == root {
        objects.append(.keyPath(start.names + [step.name, next.name]))
      }
    }
    return objects.isEmpty ? nil : random.pick(objects)
  }
}
