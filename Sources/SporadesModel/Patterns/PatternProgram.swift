// SPDX-License-Identifier: MIT

/// One step of a compiled expression. What `first`, `second` and `third` mean is the operation's.
struct PatternInstruction: Sendable {
  enum Operation: UInt8, Sendable {
    /// Takes the scalar `first`.
    case scalar
    /// Takes a scalar that folds to `first`.
    case foldedScalar
    /// Takes a scalar of the set `first`.
    case set
    /// Takes `second` to `third` scalars of the set `first`; `third` below zero is no bound.
    case greedyRun, lazyRun, possessiveRun
    case anyUnit, lineBreak, cluster
    /// Goes on at `first`, and if that fails at `second`.
    case split
    case jump
    /// Keeps the place in the register `first`.
    case save
    /// Goes on at `first`, or after this where nothing was taken since the register `second` was set.
    case loop
    /// The group whose registers begin at `first` goes from where it was opened to here.
    case endGroup
    /// Takes what that group took; `second` is 1 where case does not matter.
    case reference
    case assertion
    /// What stands up to `first` is matched once and not tried in another way.
    case openAtomic
    /// Looks ahead with what stands up to `first`; `second` is 1 where it must not be there.
    case openAhead
    /// Looks behind likewise, at `third` lengths: the least is in the next instruction's `first`,
    /// the most in its `second`.
    case openBehind
    case lengths
    case close
    case accept
  }

  let operation: Operation
  var first: Int32 = 0
  var second: Int32 = 0
  var third: Int32 = 0
  /// The number of this among instructions that can be tried in several ways; below zero where none.
  var choice: Int32 = -1
}

/// An expression ready to be matched.
struct PatternProgram: Sendable {
  let instructions: [PatternInstruction]
  let sets: [ScalarSet]
  /// Places kept while matching. A group has three, where it was opened, its start and its end, and a
  /// loop that may take nothing has one.
  let registerCount: Int
  let choiceCount: Int
  /// What fails at a place fails there always, so failures may be remembered.
  let remembers: Bool
}
