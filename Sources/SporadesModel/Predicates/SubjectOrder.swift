// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The order of subjects of one entity by sort terms.
///
/// Nil comes first. Texts compare by the bytes of their folded form. If two subjects are equal by one
/// term, the next term decides. The caller decides the order of subjects that are equal by all terms.
public struct SubjectOrder: Sendable {
  private let terms: [(path: KeyPathShape, term: SortTerm)]

  /// Finds the attributes of the terms, and refuses a key path that does not lead to one attribute.
  public init(
    _ terms: [SortTerm], in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    var resolved: [(path: KeyPathShape, term: SortTerm)] = []
    for term in terms {
      try Self.checkSpelling(term)
      let path = try KeyPathShape(term.keyPath, in: entity, model)
      let name = term.keyPath.joined(separator: ".")
      guard !path.isToMany else {
        throw FetchPredicateError(
          .needsQuantifier, "\(name) leads to many objects, so it cannot give an order.")
      }
      guard path.attribute != nil else {
        throw FetchPredicateError(
          .notAnAttribute, "\(name) is a relationship; sort by an attribute that it leads to.")
      }
      resolved.append((path, term))
    }
    self.terms = resolved
  }

  /// Refuses the name of a term that holds a direction, too.
  private static func checkSpelling(_ term: SortTerm) throws(FetchPredicateError) {
    let name = term.keyPath.joined(separator: ".")
    if let sign = term.keyPath.last(where: { $0.hasPrefix("@") }) {
      throw FetchPredicateError(
        .unsupported,
        "\(name) computes a value of many objects, and an order cannot. Sort by an attribute that is derived with "
          + "\(sign), or sort the fetched objects.")
    }
    guard let end = name.firstIndex(where: { ":, -".contains($0) }) else { return }
    let property = end > name.startIndex ? name[..<end] : name.dropFirst()
    throw FetchPredicateError(
      .unknownKeyPath,
      "\"\(name)\" is not the name of a property. Write \"\(property):NO\" where the order is a text, and "
        + "SortTerm(\"\(property)\", ascending: false) where it is a term.")
  }

  /// The order has no terms, so all subjects are equal.
  public var isEmpty: Bool { terms.isEmpty }

  /// Reads the values of a subject that the order compares, one value per term.
  public func keys<Subject: PredicateSubject>(
    of subject: Subject
  ) throws(Subject.Failure) -> [Value] {
    var keys: [Value] = []
    keys.reserveCapacity(terms.count)
    for (path, term) in terms {
      keys.append(try PredicateEvaluator.value(path, of: subject).folded(term.options))
    }
    return keys
  }

  /// Compares two subjects by their keys: negative, zero or positive.
  public func compare(_ left: [Value], _ right: [Value]) -> Int {
    for index in terms.indices {
      let order = ValueOrder.sortOrder(left[index], right[index])
      if order != 0 { return terms[index].term.ascending ? order : -order }
    }
    return 0
  }

  /// Compares two subjects: negative, zero or positive.
  public func compare<Subject: PredicateSubject>(
    _ left: Subject, _ right: Subject
  ) throws(Subject.Failure) -> Int {
    compare(try keys(of: left), try keys(of: right))
  }
}

extension Value {
  /// The value with folded text, also in a list.
  func folded(_ options: FetchPredicate.TextOptions) -> Value {
    guard TextFolding.folds(options) else { return self }
    return switch self {
    case .string(let text): .string(TextFolding.fold(text, options))
    case .url(let url): .string(TextFolding.fold(url.absoluteString, options))
    case .list(let items): .list(items.map { $0.folded(options) })
    default: self
    }
  }
}
