// SPDX-License-Identifier: MIT
@_exported public import Foundation
import SporadesModel

// Predicates out of formats, their variables, their text and their equality.

extension NSPredicate {
  /// Makes a predicate of a format and the values of its placeholders. A format with a mistake ends the program, as on Apple's
  /// platforms.
  public convenience init(format predicateFormat: String, _ arguments: Any?...) {
    self.init(format: predicateFormat, argumentArray: arguments)
  }

  /// Makes a predicate of a format, with the values of its placeholders in an array.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any?]?) {
    do throws(FetchPredicateError) {
      let given = ArgumentList(arguments ?? [])
      let condition = try FetchPredicate(
        format: predicateFormat, argumentArray: given.values, mayBeMore: true)
      self.init(given.predicate(of: condition))
    } catch {
      trap("NSPredicate(format: \(predicateFormat.debugDescription)): \(error)")
    }
  }

  /// Refuses a list of C, whose members have no types that could be read.
  @available(
    *, unavailable,
    message:
      "A list of C holds no types. Pass the array of arguments with init(format:argumentArray:)."
  )
  public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
    trap("Pass the array of arguments with init(format:argumentArray:).")
  }

  /// The predicate with values in the places of its variables. A predicate with a block stays as it is.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let substituted: NSPredicate
    if let compound = self as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { $0.withSubstitutionVariables(variables) }
      substituted = ConditionCompound(type: compound.compoundPredicateType, subpredicates: parts)
    } else {
      // `try?`, because a block has no variables.
      guard let condition = try? condition else { return self }
      substituted = NSPredicate(condition.substituting(variables.mapValues(PlainValue.of)))
    }
    guard let own = substituted as? Self else {
      trap("\(Self.self) has no variables. Substitute those of an NSPredicate.")
    }
    return own
  }

  /// Allows a predicate out of an archive to be asked. No archive makes predicates here, and every predicate is allowed.
  public func allowEvaluation() {}

  /// The predicate in the format language. Foundation's `predicateFormat` says the same, and warns.
  public var format: String {
    switch self {
    case let compound as NSCompoundPredicate: compound.joinedFormat
    case let holder as any ConditionHolder: holder.text
    default: (self as any FormatOfFoundation).formatOfFoundation
    }
  }
}

extension NSCompoundPredicate {
  /// The parts in the format language, joined by the word between them.
  var joinedFormat: String {
    let texts = subpredicates.map { part in
      guard let compound = part as? NSCompoundPredicate,
        compound.compoundPredicateType != .not, compound.subpredicates.count > 1
      else { return part.format }
      return "(\(part.format))"
    }
    switch compoundPredicateType {
    case .not: return "NOT \(texts[0])"
    case .and: return texts.isEmpty ? "TRUEPREDICATE" : texts.joined(separator: " AND ")
    case .or: return texts.isEmpty ? "FALSEPREDICATE" : texts.joined(separator: " OR ")
    }
  }
}

/// A way to Foundation's property that its warning does not stand in.
protocol FormatOfFoundation {
  var formatOfFoundation: String { get }
}

extension NSPredicate: FormatOfFoundation {
  @available(*, deprecated)
  var formatOfFoundation: String { predicateFormat }
}
