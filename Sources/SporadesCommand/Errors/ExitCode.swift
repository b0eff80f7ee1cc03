// SPDX-License-Identifier: MIT

/// The code with which the process ends.
enum ExitCode: Int32, Sendable {
  case done = 0
  case foundSomething = 1
  case askedWrongly = 2
  case couldNot = 3
}
