// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelPicture {
  /// Makes the picture of a model. `counts` are the numbers of rows by the names of the entities.
  init(of model: ManagedObjectModel, title: String, counts: [String: Int]? = nil) {
    self.title = title
    let shapes = model.shapes.inOrder { $0.name }
    let places = Dictionary(shapes.enumerated().map { ($1.number, $0) }) { first, _ in first }
    boxes = shapes.map { shape in
      let entity = shape.description
      return Box(
        name: entity.name, isAbstract: entity.isAbstract, count: counts?[entity.name],
        attributes: entity.attributes.flatMap { Row.rows(of: $0) },
        links: entity.relationships.map(Row.init) + entity.fetchedProperties.map(Row.init))
    }
    for (place, shape) in shapes.enumerated() where shape.superNumber != 0 {
      guard let above = places[shape.superNumber] else { continue }
      lines.append(
        Line(
          from: End(box: above, link: nil, mark: .triangle),
          to: End(box: place, link: nil, mark: .none), isInheritance: true))
    }
    lines += RelationshipLines(shapes, places, model).lines
  }
}

/// The lines of a model's relationships, one for each pair of inverses.
private struct RelationshipLines {
  private let shapes: [EntityShape]
  private let places: [Int: Int]
  private let model: ManagedObjectModel

  init(_ shapes: [EntityShape], _ places: [Int: Int], _ model: ManagedObjectModel) {
    (self.shapes, self.places, self.model) = (shapes, places, model)
  }

  /// A relationship's place: that of its box, and that among the box's links.
  private struct Place: Hashable {
    let box: Int
    let link: Int
  }

  var lines: [ModelPicture.Line] {
    var lines: [ModelPicture.Line] = []
    var drawn: Set<Place> = []
    let links = shapes.map { shape in
      Dictionary(shape.description.relationships.enumerated().map { ($1.name, $0) }) {
        first, _ in first
      }
    }
    for (box, shape) in shapes.enumerated() {
      for (link, relationship) in shape.description.relationships.enumerated() {
        let place = Place(box: box, link: link)
        guard drawn.insert(place).inserted,
          let destination = model.shape(named: relationship.destinationEntityName),
          let target = places[destination.number]
        else { continue }
        var inverse: (place: Place, relationship: RelationshipDescription)?
        if let name = relationship.inverseName, case .relationship(let other)? = destination[name],
          let owner = places[other.entity], let row = links[owner][name]
        {
          inverse = (Place(box: owner, link: row), other.description)
          drawn.insert(Place(box: owner, link: row))
        }
        lines.append(line(place, relationship, inverse, target: target))
      }
    }
    return lines
  }

  private func line(
    _ place: Place, _ relationship: RelationshipDescription,
    _ inverse: (place: Place, relationship: RelationshipDescription)?, target: Int
  ) -> ModelPicture.Line {
    let mark = ModelPicture.Mark(relationship)
    guard let inverse, inverse.place != place else {
      let own = ModelPicture.End(box: place.box, link: place.link, mark: .none)
      let other = ModelPicture.End(box: target, link: nil, mark: mark)
      // An object that others refer to comes first.
      return relationship.isToMany
        ? .init(from: own, to: other, isInheritance: false)
        : .init(from: other, to: own, isInheritance: false)
    }
    let own = ModelPicture.End(
      box: place.box, link: place.link, mark: .init(inverse.relationship))
    let other = ModelPicture.End(box: inverse.place.box, link: inverse.place.link, mark: mark)
    return isFirst(relationship, inverse.relationship)
      ? .init(from: own, to: other, isInheritance: false)
      : .init(from: other, to: own, isInheritance: false)
  }

  /// Whether the owner of the first relationship stands before that of its inverse: one before many, owners before what
  /// is deleted with them.
  private func isFirst(_ own: RelationshipDescription, _ inverse: RelationshipDescription) -> Bool {
    if own.isToMany != inverse.isToMany { return own.isToMany }
    return own.deleteRule == .cascade || inverse.deleteRule != .cascade
  }
}

extension ModelPicture.Mark {
  init(_ relationship: RelationshipDescription) {
    if relationship.isToMany {
      self = relationship.minCount > 0 ? .oneOrMore : .many
    } else {
      self = relationship.isOptional ? .zeroOrOne : .one
    }
  }
}

extension ModelPicture.Row {
  /// The attribute, and the members of a composite below it.
  static func rows(of attribute: AttributeDescription, depth: Int = 0) -> [Self] {
    var words = [attribute.type.spelling + (attribute.isOptional ? "?" : "")]
    if attribute.isDerived { words.append("derived") }
    if attribute.isTransient { words.append("transient") }
    let own = Self(
      name: attribute.name, text: words.joined(separator: " · "), depth: depth,
      isTransient: attribute.isTransient)
    return [own] + attribute.elements.flatMap { rows(of: $0, depth: depth + 1) }
  }

  init(_ relationship: RelationshipDescription) {
    var words = ["\(relationship.cardinality) \(relationship.destinationEntityName)"]
    if relationship.isOrdered { words.append("ordered") }
    if relationship.isTransient { words.append("transient") }
    words.append(relationship.deleteRule.words)
    self.init(
      name: relationship.name, text: words.joined(separator: " · "),
      isTransient: relationship.isTransient)
  }

  init(_ fetched: FetchedPropertyDescription) {
    self.init(
      name: fetched.name, text: "fetched \(fetched.request.entityName)", isTransient: true)
  }
}

extension RelationshipDescription {
  /// The number of linked objects: `1`, `0..1`, `*`, `1..*` or `2..5`.
  var cardinality: String {
    guard isToMany else { return isOptional ? "0..1" : "1" }
    let least = max(0, minCount)
    guard maxCount > 0 else { return least == 0 ? "*" : "\(least)..*" }
    return "\(least)..\(maxCount)"
  }
}

extension DeleteRule {
  /// The rule as pictures name it.
  var words: String {
    switch self {
    case .noAction: "no action"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}
