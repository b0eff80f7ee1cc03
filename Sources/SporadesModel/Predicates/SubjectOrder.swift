// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The order that sort terms give to subjects of one entity.
///
/// Nil comes first, texts go by their bytes or by what the term's options fold them to. Terms that
/// compare equal leave the order to the next; what all leave open is the caller's to settle.
public struct SubjectOrder: Sendable {
  private let terms: [(path: KeyPathShape, term: SortTerm)]

  /// An order by terms whose key paths lead to one attribute each.
  public init(
    _ terms: [SortTerm], in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    var resolved: [(path: KeyPathShape, term: SortTerm)] = []
    for term in terms {
      let path = try KeyPathShape(term.keyPath, in: entity, model)
      let name = term.keyPath.joined(separator: ".")
      guard !path.isToMany else {
        throw FetchPredicateError(
          .needsQuantifier, "\(name) leads to many objects, so it gives no order.")
      }
      guard path.attribute != nil else {
        throw FetchPredicateError(
          .notAnAttribute, "\(name) is a relationship; sort by an attribute it leads to.")
      }
      resolved.append((path, term))
    }
    self.terms = resolved
  }

  public var isEmpty: Bool { terms.isEmpty }

  /// What the order compares of a subject, one value a term.
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

  /// The order of two subjects by their keys: negative, zero or positive.
  public func compare(_ left: [Value], _ right: [Value]) -> Int {
    for index in terms.indices {
      let order = ValueOrder.sortOrder(left[index], right[index])
      if order != 0 { return terms[index].term.ascending ? order : -order }
    }
    return 0
  }

  /// The order of two subjects: negative, zero or positive.
  public func compare<Subject: PredicateSubject>(
    _ left: Subject, _ right: Subject
  ) throws(Subject.Failure) -> Int {
    compare(try keys(of: left), try keys(of: right))
  }
}

extension Value {
  /// The value with its text, or the texts of its list, folded.
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
