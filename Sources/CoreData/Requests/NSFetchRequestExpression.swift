// SPDX-License-Identifier: MIT
import Foundation

/// A fetch inside of a predicate. Foundation's class of expressions has no initializer here that a subclass could call.
@available(
  *, unavailable,
  message:
    "Fetch the ids first, and pass them to the predicate: NSPredicate(format: \"SELF IN %@\", ids); or write a SUBQUERY."
)
public final class NSFetchRequestExpression: NSObject {}
