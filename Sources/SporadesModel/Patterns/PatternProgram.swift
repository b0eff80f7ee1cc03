// SPDX-License-Identifier: MIT

/// One instruction of a compiled expression. The operation defines the meaning of `first`, `second` and
/// `third`.
struct PatternInstruction: Sendable {
  enum Operation: UInt8, Sendable {
    /// Takes the scalar `first`.
    case scalar
    /// Takes a scalar that folds to `first`.
    case foldedScalar
    /// Takes a scalar of the set `first`.
    case set
    /// Takes `second` to `third` scalars of the set `first`. A `third` below zero means no bound.
    case greedyRun, lazyRun, possessiveRun
    /// Takes one scalar or line end, one line end, or one character.
    case anyUnit, lineBreak, cluster
    /// Continues at `first`. If that branch fails, continues at `second`.
    case split
    /// Continues at `first`.
    case jump
    /// Stores the position in the register `first`.
    case save
    /// Continues at `first`. If the position has not changed since the register `second` was set,
    /// continues after this instruction.
    case loop
    /// Ends the group whose registers begin at `first`.
    case endGroup
    /// Takes the text of the group whose registers begin at `first`. A `second` of 1 ignores case.
    case reference
    /// Checks the assertion with the raw value `first`.
    case assertion
    /// Begins a group that matches once. The instructions up to `first` belong to it.
    case openAtomic
    /// Begins a look-ahead. The instructions up to `first` belong to it. A `second` of 1 negates it.
    case openAhead
    /// Begins a look-behind, with `first` and `second` as in a look-ahead.
    case openBehind
    /// Follows the start of a look-behind, with its smallest length in `first` and its largest in `second`.
    case lengths
    /// Ends the innermost group.
    case close
    /// Ends the expression.
    case accept
  }

  let operation: Operation
  var first: Int32 = 0
  var second: Int32 = 0
  var third: Int32 = 0
  /// The number of the instruction among those with several branches; below zero if its failures are not
  /// remembered.
  var choice: Int32 = -1
}

/// A compiled regular expression.
struct PatternProgram: Sendable {
  let instructions: [PatternInstruction]
  let sets: [ScalarSet]
  /// The number of positions that the matcher stores. A group has three: of its opening, its start and its
  /// end. A loop that may take no scalars has one.
  let registerCount: Int
  let choiceCount: Int
  /// A branch that fails at a position always fails there, so that the matcher may remember failures.
  let remembersFailures: Bool
}
