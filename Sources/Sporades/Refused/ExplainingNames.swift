// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

// Calls of the module SporadesExplaining in a program that has not imported it. The compiler chooses these functions only
// there.

extension ManagedObjectContext {
  /// Refuses a plan without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesExplaining to the target in Package.swift, and import SporadesExplaining"
  )
  public func explain(_ request: FetchRequest) throws -> String { trap(refusal) }
}

extension ReportingContext {
  /// Refuses a plan without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesExplaining to the target in Package.swift, and import SporadesExplaining"
  )
  public func explain(_ request: FetchRequest) throws -> String { trap(refusal) }
}

extension TypedRequest {
  /// Refuses a plan without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesExplaining to the target in Package.swift, and import SporadesExplaining"
  )
  public func explain(in context: some FinderContext) throws -> String { trap(refusal) }
}

extension GroupedRequest {
  /// Refuses a plan without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesExplaining to the target in Package.swift, and import SporadesExplaining"
  )
  public func explain(in context: some FinderContext) throws -> String { trap(refusal) }
}

/// Refuses reports of slow fetches without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesExplaining to the target in Package.swift, and import SporadesExplaining"
)
public enum SlowFetches {
  public static func report(over threshold: Duration?) { trap(refusal) }
  public static func report<Slow>(over threshold: Duration?, to report: (Slow) -> Void) {
    trap(refusal)
  }
}
