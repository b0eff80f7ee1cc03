// SPDX-License-Identifier: MIT

/// What the caller learns from the end of the process.
enum ExitCode: Int32, Sendable {
  case done = 0
  case foundSomething = 1
  case askedWrongly = 2
  case couldNot = 3
}
