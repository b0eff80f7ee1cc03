// SPDX-License-Identifier: MIT

// Core Data's labels and names. The compiler reports one sentence for each.

private let refusal = "The compiler refuses this call."

extension FetchPredicate {
  /// Refuses a format without its label.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the label: try FetchPredicate(format: \"name == %@\", name)"
  )
  public init(_ format: String, _ arguments: Any?...) { trap(refusal) }
}

extension FetchRequest {
  /// Refuses a label in front of the name.
  @available(*, unavailable, message: "write the name without a label: FetchRequest(\"User\")")
  public init(entityName: String) { trap(refusal) }

  /// Refuses labels of other libraries.
  @available(
    *, unavailable,
    message: "write FetchRequest(\"User\", where: predicate, sortedBy: [SortTerm(\"name\")])"
  )
  public init(_ entityName: String, predicate: FetchPredicate?, sortDescriptors: [SortTerm] = []) {
    trap(refusal)
  }

  /// Refuses an order of another name.
  @available(*, unavailable, renamed: "sortTerms")
  public var sortDescriptors: [SortTerm] {
    get { trap(refusal) }
    set { trap(refusal) }
  }
}
